// Package link has the board's end of its link to a host in SystemVerilog. Messages over a UART are
// each delivered once and in order, whatever bytes are lost, changed or doubled on the line. For Go
// the package has the [Design], its ports [In] and [Out], and [Model], a cycle-accurate reference
// for every output:
//
//	dut := sim.OpenTest[link.In, link.Out](t, link.Design, sim.Verilator)
//	sim.Check(t, dut, link.NewModel(link.Default), inputs)
//
// See README.md for the protocol, ports and timing. Package frame below has the host's end, and
// package message the meaning of the messages.
package link

import (
	"embed"
	"encoding/binary"
	"fmt"

	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/sim"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("link", "link/files.list", files)

// Params are the parameters of the RTL and the model. [Default] has those of the RTL.
type Params struct {
	RetryCycles   int // until a message that is not acknowledged is repeated, at least 1
	SilenceCycles int // without a frame from the host until it counts as absent, at least 1
}

// Default has the parameters of the RTL: 100 ms and 3 s at 100 MHz.
var Default = Params{RetryCycles: 10_000_000, SilenceCycles: 300_000_000}

// Design returns the RTL with these parameters.
func (p Params) Design() sim.Design {
	d := Design
	d.Params = map[string]string{"RetryCycles": fmt.Sprint(p.RetryCycles), "SilenceCycles": fmt.Sprint(p.SilenceCycles)}
	return d
}

// Payload is a message's payload at a port: byte n in bits 8n+7 to 8n.
type Payload [frame.MaxPayload / 8]uint64

// In holds the inputs of a cycle.
type In struct {
	Rst         bool    `port:"rst_i"`
	RxValid     bool    `port:"rx_valid_i"`
	RxData      uint8   `port:"rx_data_i"`
	TxReady     bool    `port:"tx_ready_i"`
	SendValid   bool    `port:"send_valid_i"`
	SendType    uint8   `port:"send_type_i"`
	SendLength  uint8   `port:"send_length_i" bits:"6"`
	SendPayload Payload `port:"send_payload_i"`
	RecvReady   bool    `port:"recv_ready_i"`
}

// Out holds the outputs of a cycle.
type Out struct {
	TxValid     bool    `port:"tx_valid_o"`
	TxData      uint8   `port:"tx_data_o"`
	SendReady   bool    `port:"send_ready_o"`
	RecvValid   bool    `port:"recv_valid_o"`
	RecvType    uint8   `port:"recv_type_o"`
	RecvLength  uint8   `port:"recv_length_o" bits:"6"`
	RecvPayload Payload `port:"recv_payload_o"`
	Open        bool    `port:"open_o"`    // there is a session
	Opened      bool    `port:"opened_o"`  // the session is new
	Up          bool    `port:"up_o"`      // a frame of it has come in the last SilenceCycles
	Damaged     bool    `port:"damaged_o"` // something has come that is no frame of the host
}

// Send offers a message at the send port.
func (in *In) Send(m frame.Message) {
	in.SendValid, in.SendType, in.SendLength = true, m.Type, uint8(len(m.Payload))
	in.SendPayload = pack(m.Payload)
}

// sent returns the message at the send port.
func (in *In) sent() frame.Message {
	return frame.Message{Type: in.SendType, Payload: unpack(in.SendPayload, in.SendLength)}
}

// Message returns the message at the receive port.
func (o *Out) Message() frame.Message {
	return frame.Message{Type: o.RecvType, Payload: unpack(o.RecvPayload, o.RecvLength)}
}

func pack(bytes []byte) (p Payload) {
	var all [frame.MaxPayload]byte
	copy(all[:], bytes)
	for i := range p {
		p[i] = binary.LittleEndian.Uint64(all[8*i:])
	}
	return p
}

func unpack(p Payload, length uint8) []byte {
	var all []byte
	for _, word := range p {
		all = binary.LittleEndian.AppendUint64(all, word)
	}
	return all[:min(int(length), frame.MaxPayload)]
}
