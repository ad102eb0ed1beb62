-- Wireshark dissector of remote memory over IP: fibnuma version 2, ipnuma-10g and ipnuma-1g on UDP port 3422, NetTLP
-- on 0x3000 and 0x4000 plus the low four bits of the tag. docs/ipnuma-protocol.md has the layouts.
--
--   tshark -X lua_script:fibnuma.lua -r capture.pcap

local PORT = 3422
local NETTLP_PORTS = "12288-12543,16384-16399"

local types = {
    [0x00] = "MRd", [0x20] = "MRd", [0x40] = "MWr", [0x60] = "MWr", [0x0A] = "Cpl", [0x4A] = "CplD",
    [0x4C] = "FetchAdd", [0x6C] = "FetchAdd", [0x4D] = "Swap", [0x6D] = "Swap", [0x4E] = "CAS", [0x6E] = "CAS",
}
local completion_status = {
    [0] = "successful", [1] = "unsupported request", [2] = "configuration retry", [4] = "completer abort",
}
local access_status = {
    [0] = "ok", [1] = "no region", [2] = "out of range", [3] = "no access", [4] = "wrong key", [5] = "revoked",
    [6] = "misaligned",
}
local kinds = {
    [1] = "HELLO", [2] = "HELLO_ACK", [3] = "DATA", [4] = "ACK", [5] = "NAK", [6] = "RESET", [7] = "CLOSE",
    [8] = "PROBE", [9] = "ERROR", [10] = "CONFIRM", [11] = "CONFIRMED",
}
local handshakes = { [1] = true, [2] = true, [10] = true, [11] = true }

-- TLPs, as in the PCI Express Base Specification, section 2.2 ------------------------------------------------------

local tlp = Proto("pcietlp", "PCI Express TLP")
local t = {
    type = ProtoField.uint8("pcietlp.type", "Type", base.HEX, types),
    length = ProtoField.uint16("pcietlp.length", "Length in DWs"),
    requester = ProtoField.uint16("pcietlp.requester", "Requester", base.HEX),
    tag = ProtoField.uint8("pcietlp.tag", "Tag"),
    last_be = ProtoField.uint8("pcietlp.last_be", "Last DW byte enables", base.HEX),
    first_be = ProtoField.uint8("pcietlp.first_be", "First DW byte enables", base.HEX),
    address = ProtoField.uint64("pcietlp.address", "Address", base.HEX),
    region = ProtoField.uint32("pcietlp.region", "Region"),
    offset = ProtoField.uint32("pcietlp.offset", "Offset in region", base.HEX),
    completer = ProtoField.uint16("pcietlp.completer", "Completer", base.HEX),
    status = ProtoField.uint8("pcietlp.status", "Status", base.DEC, completion_status),
    byte_count = ProtoField.uint16("pcietlp.byte_count", "Byte count"),
    lower = ProtoField.uint8("pcietlp.lower_address", "Lower address", base.HEX),
    data = ProtoField.bytes("pcietlp.data", "Data"),
}
tlp.fields = t
local truncated = ProtoExpert.new("pcietlp.truncated", "TLP is longer than its datagram", expert.group.MALFORMED,
    expert.severity.ERROR)
tlp.experts = { truncated }

local function bit_set(value, bit)
    return math.floor(value / bit) % 2 == 1
end

local function add_completion(tree, buffer)
    local requester = buffer(8, 2)
    local second = buffer(6, 2):uint()
    tree:add(t.completer, buffer(4, 2))
    tree:add(t.status, buffer(6, 1), math.floor(second / 8192))
    tree:add(t.byte_count, buffer(6, 2), second % 4096 == 0 and 4096 or second % 4096)
    tree:add(t.requester, requester)
    tree:add(t.tag, buffer(10, 1))
    tree:add(t.lower, buffer(11, 1), buffer(11, 1):uint() % 128)
    return string.format("tag %d %s", buffer(10, 1):uint(), completion_status[math.floor(second / 8192)] or "?")
end

local function add_request(tree, buffer, is_long)
    local enables = buffer(7, 1):uint()
    tree:add(t.requester, buffer(4, 2))
    tree:add(t.tag, buffer(6, 1))
    tree:add(t.last_be, buffer(7, 1), math.floor(enables / 16))
    tree:add(t.first_be, buffer(7, 1), enables % 16)
    local low = buffer(is_long and 12 or 8, 4)
    local offset = low:uint() - low:uint() % 4
    local region = is_long and buffer(10, 2):uint() or 0
    if is_long then
        tree:add(t.address, buffer(8, 8))
    else
        tree:add(t.address, low, UInt64(low:uint(), 0))
    end
    tree:add(t.region, is_long and buffer(10, 2) or low, region):set_generated()
    tree:add(t.offset, low, offset):set_generated()
    return string.format("region %d offset 0x%x", region, offset)
end

-- Adds one TLP of a buffer in PCIe byte order; returns its length and a word about it, or nil where it is cut off.
local function add_tlp(parent, buffer)
    local tree = parent:add(tlp, buffer)
    local available = buffer:len()
    local kind = available > 0 and buffer(0, 1):uint() or 0
    local is_long = bit_set(kind, 0x20)
    local header = is_long and 16 or 12
    if available < header then
        tree:add_proto_expert_info(truncated)
        return nil
    end
    local length = buffer(2, 2):uint() % 1024
    local is_completion = kind == 0x0A or kind == 0x4A
    if length == 0 and kind ~= 0x0A then
        length = 1024
    end
    tree:add(t.type, buffer(0, 1))
    tree:add(t.length, buffer(2, 2), length)
    local what = is_completion and add_completion(tree, buffer) or add_request(tree, buffer, is_long)
    local data = bit_set(kind, 0x40) and length * 4 or 0
    if available < header + data then
        tree:add_proto_expert_info(truncated)
        return nil
    end
    if data > 0 then
        tree:add(t.data, buffer(header, data))
    end
    tree:set_len(header + data)
    local name = types[kind] or string.format("type 0x%02x", kind)
    tree:set_text(string.format("%s, %d DW, %s", name, length, what))
    return header + data, string.format("%s %s %d DW", name, what, length)
end

-- ipnuma-10g: magic, two zero bytes, one TLP with every DW reversed --------------------------------------------------

local ten = Proto("ipnuma10g", "IP-NUMA, 10 gigabit adapter")
local ten_magic = ProtoField.bytes("ipnuma10g.magic", "Magic")
ten.fields = { ten_magic }

local function reversed(buffer)
    local bytes = buffer:bytes()
    local whole = bytes:len() - bytes:len() % 4
    for dw = 0, whole - 4, 4 do
        local b0, b1, b2, b3 = bytes:get_index(dw), bytes:get_index(dw + 1), bytes:get_index(dw + 2),
            bytes:get_index(dw + 3)
        bytes:set_index(dw, b3)
        bytes:set_index(dw + 1, b2)
        bytes:set_index(dw + 2, b1)
        bytes:set_index(dw + 3, b0)
    end
    return bytes
end

local function dissect_ten(buffer, pinfo, root)
    pinfo.cols.protocol = "IPNUMA-10G"
    local tree = root:add(ten, buffer())
    tree:add(ten_magic, buffer(0, 4))
    if buffer:len() > 6 then
        local _, what = add_tlp(tree, ByteArray.tvb(reversed(buffer(6)), "TLP in PCIe byte order")())
        pinfo.cols.info = what or "cut off"
    end
    return buffer:len()
end

-- ipnuma-1g: magic, writes in a short form, a zero byte --------------------------------------------------------------

local one = Proto("ipnuma1g", "IP-NUMA, gigabit adapter")
local o = {
    magic = ProtoField.bytes("ipnuma1g.magic", "Magic"),
    command = ProtoField.uint8("ipnuma1g.command", "Command", base.HEX),
    is_write = ProtoField.bool("ipnuma1g.write", "Write", 8, nil, 0x80),
    is_long = ProtoField.bool("ipnuma1g.long", "Address of five bytes", 8, nil, 0x40),
    length = ProtoField.uint8("ipnuma1g.length", "Length in DWs", base.DEC, nil, 0x3F),
    enables = ProtoField.uint8("ipnuma1g.byte_enables", "Byte enables, last and first DW", base.HEX),
    address = ProtoField.uint64("ipnuma1g.address", "Address", base.HEX),
    data = ProtoField.bytes("ipnuma1g.data", "Data"),
    last = ProtoField.uint8("ipnuma1g.end", "End of the list", base.HEX),
}
one.fields = o
local cut_off = ProtoExpert.new("ipnuma1g.truncated", "The list is cut off", expert.group.MALFORMED,
    expert.severity.ERROR)
one.experts = { cut_off }

local function dissect_one(buffer, pinfo, root)
    pinfo.cols.protocol = "IPNUMA-1G"
    local tree = root:add(one, buffer())
    tree:add(o.magic, buffer(0, 4))
    local at, writes = 4, 0
    while at < buffer:len() and buffer(at, 1):uint() ~= 0 do
        local command = buffer(at, 1):uint()
        local address = bit_set(command, 0x40) and 5 or 4
        local total = 2 + address + command % 64 * 4
        if at + total > buffer:len() then
            tree:add_proto_expert_info(cut_off)
            return buffer:len()
        end
        local item = tree:add(one, buffer(at, total), "Write")
        item:add(o.command, buffer(at, 1))
        item:add(o.is_write, buffer(at, 1))
        item:add(o.is_long, buffer(at, 1))
        item:add(o.length, buffer(at, 1))
        item:add(o.enables, buffer(at + 1, 1))
        item:add(o.address, buffer(at + 2, address))
        if command % 64 > 0 then
            item:add(o.data, buffer(at + 2 + address, command % 64 * 4))
        end
        at, writes = at + total, writes + 1
    end
    if at < buffer:len() then
        tree:add(o.last, buffer(at, 1))
    else
        tree:add_proto_expert_info(cut_off)
    end
    pinfo.cols.info = writes .. " writes"
    return buffer:len()
end

-- fibnuma version 2, every field little-endian -----------------------------------------------------------------------

local fibnuma = Proto("fibnuma", "Fibnuma remote memory")
local f = {
    magic = ProtoField.string("fibnuma.magic", "Magic"),
    version = ProtoField.uint8("fibnuma.version", "Version"),
    kind = ProtoField.uint8("fibnuma.kind", "Kind", base.DEC, kinds),
    source_session = ProtoField.uint32("fibnuma.source_session", "Source session", base.HEX),
    destination_session = ProtoField.uint32("fibnuma.destination_session", "Destination session", base.HEX),
    source_epoch = ProtoField.uint32("fibnuma.source_epoch", "Source epoch"),
    destination_epoch = ProtoField.uint32("fibnuma.destination_epoch", "Destination epoch"),
    sequence = ProtoField.uint32("fibnuma.sequence", "Sequence"),
    acknowledgement = ProtoField.uint32("fibnuma.acknowledgement", "Acknowledgement"),
    bitmap = ProtoField.uint64("fibnuma.bitmap", "Arrived behind it", base.HEX),
    timestamp = ProtoField.uint32("fibnuma.timestamp", "Timestamp in 256 ns"),
    echo = ProtoField.uint32("fibnuma.echo", "Timestamp echoed"),
    credits = ProtoField.uint16("fibnuma.credits", "Credits"),
    flags = ProtoField.uint8("fibnuma.flags", "Flags", base.HEX),
    ordered = ProtoField.bool("fibnuma.flags.ordered", "Ordered", 8, nil, 0x01),
    doorbell = ProtoField.bool("fibnuma.flags.doorbell", "Doorbell", 8, nil, 0x02),
    ce_echo = ProtoField.bool("fibnuma.flags.ce_echo", "Congestion echo", 8, nil, 0x04),
    sealed = ProtoField.bool("fibnuma.flags.sealed", "Sealed", 8, nil, 0x08),
    echo_valid = ProtoField.bool("fibnuma.flags.echo_valid", "Echo is valid", 8, nil, 0x10),
    requests = ProtoField.bool("fibnuma.flags.requests", "Requests", 8, nil, 0x20),
    tlp_count = ProtoField.uint8("fibnuma.tlp_count", "TLPs"),
    region = ProtoField.uint32("fibnuma.region", "Region"),
    key = ProtoField.uint64("fibnuma.key", "Key", base.HEX),
    refused = ProtoField.uint64("fibnuma.refused_address", "Refused address", base.HEX),
    tlp_bytes = ProtoField.uint16("fibnuma.tlp_bytes", "Bytes of TLPs"),
    status = ProtoField.uint16("fibnuma.status", "Status", base.DEC, access_status),
    refusals = ProtoField.uint16("fibnuma.refusals", "Writes refused in this connection"),
    refusal = ProtoField.uint16("fibnuma.refusal", "Number of the refused write"),
    encrypted = ProtoField.bytes("fibnuma.encrypted", "Encrypted: region, key, TLPs, trailer"),
    counter = ProtoField.uint64("fibnuma.counter", "Counter of the seal"),
    source_nonce = ProtoField.bytes("fibnuma.source_nonce", "Source nonce"),
    destination_nonce = ProtoField.bytes("fibnuma.destination_nonce", "Destination nonce"),
    crc = ProtoField.uint32("fibnuma.crc", "CRC-32C", base.HEX),
    end_code = ProtoField.string("fibnuma.end", "End code"),
    tag = ProtoField.bytes("fibnuma.auth_tag", "Authentication tag"),
}
fibnuma.fields = f
local wrong_length = ProtoExpert.new("fibnuma.truncated", "The datagram is not as long as it says",
    expert.group.MALFORMED, expert.severity.ERROR)
fibnuma.experts = { wrong_length }

local HEADER, TRAILER, NONCE = 64, 8, 16
-- Of a sealed datagram: what stays readable, and what follows the encrypted part.
local READABLE, COUNTER, TAG = 48, 8, 16
local KIND_RESET, KIND_ERROR = 6, 9

local function add_readable(tree, buffer)
    tree:add(f.magic, buffer(0, 2))
    tree:add(f.version, buffer(2, 1))
    tree:add(f.kind, buffer(3, 1))
    tree:add_le(f.source_session, buffer(4, 4))
    tree:add_le(f.destination_session, buffer(8, 4))
    tree:add_le(f.source_epoch, buffer(12, 4))
    tree:add_le(f.destination_epoch, buffer(16, 4))
    tree:add_le(f.sequence, buffer(20, 4))
    tree:add_le(f.acknowledgement, buffer(24, 4))
    tree:add_le(f.bitmap, buffer(28, 8))
    tree:add_le(f.timestamp, buffer(36, 4))
    tree:add_le(f.echo, buffer(40, 4))
    tree:add_le(f.credits, buffer(44, 2))
    local flags = tree:add(f.flags, buffer(46, 1))
    for _, flag in ipairs({ f.ordered, f.doorbell, f.ce_echo, f.sealed, f.echo_valid, f.requests }) do
        flags:add(flag, buffer(46, 1))
    end
    tree:add(f.tlp_count, buffer(47, 1))
end

local function add_region(tree, buffer, kind)
    if kind == KIND_ERROR then
        tree:add_le(f.refusals, buffer(48, 2))
        tree:add_le(f.refusal, buffer(50, 2))
        tree:add_le(f.refused, buffer(52, 8))
    else
        tree:add_le(f.region, buffer(48, 4))
        tree:add_le(f.key, buffer(52, 8))
    end
    tree:add_le(f.tlp_bytes, buffer(60, 2))
    tree:add_le(kind == KIND_ERROR and f.status or f.refusals, buffer(62, 2))
end

local function add_sealed(tree, buffer)
    local behind = buffer:len() - COUNTER - TAG
    if behind < HEADER + TRAILER then
        tree:add_proto_expert_info(wrong_length)
        return
    end
    tree:add(f.encrypted, buffer(READABLE, behind - READABLE))
    tree:add_le(f.counter, buffer(behind, COUNTER))
    tree:add(f.tag, buffer(behind + COUNTER, TAG))
end

local function dissect_fibnuma(buffer, pinfo, root)
    pinfo.cols.protocol = "FIBNUMA"
    local tree = root:add(fibnuma, buffer())
    if buffer:len() < HEADER then
        tree:add_proto_expert_info(wrong_length)
        return buffer:len()
    end
    add_readable(tree, buffer)
    local kind = buffer(3, 1):uint()
    local info = string.format("%s seq %d ack %d", kinds[kind] or "?", buffer(20, 4):le_uint(), buffer(24, 4):le_uint())
    local is_sealed = bit_set(buffer(46, 1):uint(), 0x08)
    if is_sealed and not (handshakes[kind] or kind == KIND_RESET) then
        add_sealed(tree, buffer)
        pinfo.cols.info = info .. ", sealed"
        return buffer:len()
    end
    add_region(tree, buffer, kind)
    local trailer = HEADER + buffer(60, 2):le_uint()
    if buffer:len() ~= trailer + TRAILER + (is_sealed and COUNTER + TAG or 0) then
        tree:add_proto_expert_info(wrong_length)
        return buffer:len()
    end
    local at = HEADER
    if handshakes[kind] and trailer == HEADER + 2 * NONCE then
        tree:add(f.source_nonce, buffer(HEADER, NONCE))
        tree:add(f.destination_nonce, buffer(HEADER + NONCE, NONCE))
    end
    for _ = 1, buffer(47, 1):uint() do
        local length, what
        if at < trailer then
            length, what = add_tlp(tree, buffer(at, trailer - at))
        end
        if not length then
            break
        end
        at, info = at + length, info .. ", " .. what
    end
    tree:add_le(f.crc, buffer(trailer, 4))
    tree:add(f.end_code, buffer(trailer + 4, 4))
    if is_sealed then
        tree:add(f.tag, buffer(trailer + TRAILER + COUNTER, TAG))
        info = info .. ", authenticated"
    end
    pinfo.cols.info = info
    return buffer:len()
end

function fibnuma.dissector(buffer, pinfo, root)
    local start = buffer:len() >= 4 and buffer(0, 4):uint() or 0
    if start == 0xBE9BE955 then
        return dissect_ten(buffer, pinfo, root)
    elseif start == 0xA1110000 then
        return dissect_one(buffer, pinfo, root)
    elseif math.floor(start / 65536) == 0x464E then
        return dissect_fibnuma(buffer, pinfo, root)
    end
    return 0
end

-- NetTLP -------------------------------------------------------------------------------------------------------------

local nettlp = Proto("nettlp", "NetTLP")
local n = {
    sequence = ProtoField.uint16("nettlp.sequence", "Sequence", base.DEC, nil, 0x3FF),
    timestamp = ProtoField.uint32("nettlp.timestamp", "Timestamp"),
}
nettlp.fields = n

function nettlp.dissector(buffer, pinfo, root)
    if buffer:len() < 6 + 12 then
        return 0
    end
    pinfo.cols.protocol = "NetTLP"
    local tree = root:add(nettlp, buffer())
    tree:add(n.sequence, buffer(0, 2))
    tree:add(n.timestamp, buffer(2, 4))
    local _, what = add_tlp(tree, buffer(6))
    pinfo.cols.info = what or "cut off"
    return buffer:len()
end

local ports = DissectorTable.get("udp.port")
ports:add(PORT, fibnuma)
ports:add(NETTLP_PORTS, nettlp)
