package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfRegister;
import org.fibnuma.binding.bpf.BpfSize;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpContextLayout;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTableLayout;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.TcpHeader;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

import static org.fibnuma.binding.afxdp.InterfaceRecognition.PASS;
import static org.fibnuma.binding.afxdp.InterfaceRecognition.TAKE;
import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R10;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.fibnuma.binding.bpf.BpfRegister.R4;
import static org.fibnuma.binding.bpf.BpfRegister.R5;
import static org.fibnuma.binding.bpf.BpfRegister.R6;
import static org.fibnuma.binding.bpf.BpfRegister.R7;
import static org.fibnuma.binding.bpf.BpfRegister.R8;
import static org.fibnuma.binding.bpf.BpfRegister.R9;

/**
 * The XDP program for interfaces whose sockets receive frames of flows only. {@link TransitProgram} continues in it. It
 * finds the direction of a frame in the {@link FlowTable} and passes its number to the worker in metadata in front of
 * the frame. The kernel receives frames without a flow, and those that only the kernel forwards; the rules are those of
 * {@link org.fibnuma.core.flow.FlowPacket} and of the stage {@code FlowInput}. A segment that closes its connection
 * invalidates the flow.
 * <pre>
 *   not our MAC, no flow, options, fragment, TTL 1, wrong length, SYN, FIN, RST --> XDP_PASS
 *   the rest --> metadata, xsks[rx_queue_index]
 * </pre>
 * After the headers were read, R6 = the context, R7 = whether the segment closes its connection, R8 = the addresses of
 * an IPv4 packet, R9 = ports and word of the key as in a line.
 */
final class FlowProgram implements AutoCloseable
{
    /** Length of the metadata in bytes: the direction, then 0. */
    static final int METADATA_LENGTH = Long.BYTES;

    private static final String NAME = "fibnuma_flows";
    private static final String HIT = "hit";
    private static final String INVALIDATE = "invalidate";
    private static final int ETHERNET = EthernetHeaderFlyweight.LENGTH;
    private static final int FRAGMENT_MASK = 0x3FFF;
    private static final int SCTP_CHUNK_OFFSET = 12;
    private static final int SCTP_LENGTH = SCTP_CHUNK_OFFSET + Integer.BYTES;

    // On the stack, from R10.
    private static final int INDEX = -Integer.BYTES;
    private static final int DIRECTION = INDEX - Integer.BYTES;
    private static final int BUCKET = DIRECTION - Long.BYTES;
    private static final int TAG = BUCKET - Long.BYTES;
    private static final int SECOND = TAG - Long.BYTES;
    private static final int ADDRESSES = SECOND - 2 * Ipv6Address.LENGTH;

    private final FlowTable table;
    private final BpfMap buckets;
    private final BpfMap lines;
    private final BpfProgram program;

    /**
     * Loads the program.
     *
     * @param table      in memory of {@code memory}.
     * @param interfaces of the port.
     * @param sockets    of the port, by queue.
     */
    FlowProgram(
        final FlowTable table, final BpfFlowMemory memory, final InterfaceRecognition interfaces, final BpfMap sockets)
    {
        this.table = table;
        this.buckets = memory.bucketMap();
        this.lines = memory.lineMap();
        this.program = BpfProgram.loadXdp(code(interfaces, sockets), NAME);
    }

    BpfProgram program()
    {
        return program;
    }

    @Override
    public void close()
    {
        program.close();
    }

    private byte[] code(final InterfaceRecognition interfaces, final BpfMap sockets)
    {
        final BpfAssembler assembler = new BpfAssembler().mov(R6, R1);
        interfaces.appendTo(assembler);
        assembler
            .load(BpfSize.WORD, R9, R0, InterfaceRecognition.NUMBER_OFFSET)
            .jumpIf(BpfCondition.EQUAL, R4, EtherType.IPV6, "ipv6")
            .jumpIf(BpfCondition.NOT_EQUAL, R4, EtherType.IPV4, PASS);
        appendIpv4(assembler);
        assembler.label("ipv6");
        appendIpv6(assembler);
        appendHit(assembler);
        assembler
            .label(TAKE)
            .movMap(R1, sockets)
            .load(BpfSize.WORD, R2, R6, XdpContextLayout.RX_QUEUE_INDEX_OFFSET)
            .mov(R3, XdpAction.PASS)
            .call(BpfHelper.REDIRECT_MAP)
            .exit()
            .label(PASS)
            .mov(R0, XdpAction.PASS)
            .exit();
        return assembler.assemble();
    }

    private void appendIpv4(final BpfAssembler assembler)
    {
        final int transport = ETHERNET + Ipv4HeaderFlyweight.MIN_LENGTH;
        appendRoom(assembler, transport + UdpHeaderFlyweight.LENGTH);
        assembler
            .load(BpfSize.BYTE, R4, R2, ETHERNET)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, Ipv4HeaderFlyweight.VERSION_4_IHL_5, PASS)
            .load(BpfSize.HALF, R4, R2, ETHERNET + Ipv4HeaderFlyweight.FRAGMENT_OFFSET)
            .networkOrder(BpfSize.HALF, R4)
            .jumpIf(BpfCondition.ANY_BIT, R4, FRAGMENT_MASK, PASS)
            .load(BpfSize.BYTE, R4, R2, ETHERNET + Ipv4HeaderFlyweight.TTL_OFFSET)
            .jumpIf(BpfCondition.BELOW_OR_EQUAL, R4, Ipv4HeaderFlyweight.LAST_TTL, PASS)
            .load(BpfSize.BYTE, R5, R2, ETHERNET + Ipv4HeaderFlyweight.PROTOCOL_OFFSET)
            .load(BpfSize.DOUBLE, R8, R2, ETHERNET + Ipv4HeaderFlyweight.SOURCE_OFFSET);
        appendPorts(assembler, transport, IpProtocol.ICMP,
            IcmpHeaderFlyweight.TYPE_ECHO_REQUEST, IcmpHeaderFlyweight.TYPE_ECHO_REPLY, "ports4");
        appendKey(assembler, FlowTableLayout.VALID);
        assembler.mov(R3, R8);
        appendLookups(assembler, false);
    }

    private void appendIpv6(final BpfAssembler assembler)
    {
        final int transport = ETHERNET + Ipv6HeaderFlyweight.LENGTH;
        appendRoom(assembler, transport + UdpHeaderFlyweight.LENGTH);
        assembler
            .load(BpfSize.BYTE, R4, R2, ETHERNET + Ipv6HeaderFlyweight.HOP_LIMIT_OFFSET)
            .jumpIf(BpfCondition.BELOW_OR_EQUAL, R4, Ipv6HeaderFlyweight.LAST_HOP_LIMIT, PASS)
            .load(BpfSize.BYTE, R5, R2, ETHERNET + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET);
        for (int offset = 0; offset < 2 * Ipv6Address.LENGTH; offset += Long.BYTES)
        {
            assembler
                .load(BpfSize.DOUBLE, R4, R2, ETHERNET + Ipv6HeaderFlyweight.SOURCE_OFFSET + offset)
                .store(BpfSize.DOUBLE, R10, ADDRESSES + offset, R4);
        }
        appendPorts(assembler, transport, IpProtocol.ICMPV6,
            Icmpv6HeaderFlyweight.TYPE_ECHO_REQUEST, Icmpv6HeaderFlyweight.TYPE_ECHO_REPLY, "ports6");
        appendKey(assembler, FlowTableLayout.VALID | FlowTableLayout.IPV6);
        assembler
            .movLong(R4, table.secret())
            .load(BpfSize.DOUBLE, R3, R10, ADDRESSES);
        for (int offset = Long.BYTES; offset < 2 * Ipv6Address.LENGTH; offset += Long.BYTES)
        {
            assembler
                .alu(BpfArithmetic.MUL, R3, R4)
                .load(BpfSize.DOUBLE, R1, R10, ADDRESSES + offset)
                .alu(BpfArithmetic.ADD, R3, R1);
        }
        appendLookups(assembler, true);
    }

    /** Passes a frame that is shorter than a number of bytes behind its VLAN tags. */
    private static void appendRoom(final BpfAssembler assembler, final int length)
    {
        assembler
            .mov(R4, R2)
            .alu(BpfArithmetic.ADD, R4, length)
            .jumpIf(BpfCondition.ABOVE, R4, R3, PASS);
    }

    /** Loads the ports into R1 and R7 as {@code FlowPacket} defines them; R5 = the protocol, R2, R3 = the bounds. */
    private static void appendPorts(
        final BpfAssembler assembler,
        final int transport,
        final int icmp,
        final int request,
        final int reply,
        final String done)
    {
        assembler
            .mov(R7, 0)
            .load(BpfSize.WORD, R1, R2, transport)
            .jumpIf(BpfCondition.EQUAL, R5, IpProtocol.UDP, done + "-udp")
            .jumpIf(BpfCondition.EQUAL, R5, IpProtocol.TCP, done + "-tcp")
            .jumpIf(BpfCondition.EQUAL, R5, icmp, done + "-icmp")
            .jumpIf(BpfCondition.EQUAL, R5, IpProtocol.UDP_LITE, done)
            .jumpIf(BpfCondition.NOT_EQUAL, R5, IpProtocol.SCTP, PASS);
        appendRoom(assembler, transport + SCTP_LENGTH);
        assembler
            .load(BpfSize.BYTE, R4, R2, transport + SCTP_CHUNK_OFFSET)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, 0, PASS)
            .jump(done)
            .label(done + "-icmp")
            .load(BpfSize.BYTE, R4, R2, transport)
            .jumpIf(BpfCondition.EQUAL, R4, request, done + "-echo")
            .jumpIf(BpfCondition.NOT_EQUAL, R4, reply, PASS)
            .label(done + "-echo")
            .load(BpfSize.HALF, R4, R2, transport)
            .alu(BpfArithmetic.LSH, R4, Short.SIZE)
            .load(BpfSize.HALF, R1, R2, transport + IcmpHeaderFlyweight.IDENTIFIER_OFFSET)
            .alu(BpfArithmetic.OR, R1, R4)
            .jump(done)
            .label(done + "-udp")
            .load(BpfSize.HALF, R4, R2, transport + UdpHeaderFlyweight.LENGTH_OFFSET)
            .networkOrder(BpfSize.HALF, R4);
        appendLength(assembler, transport, UdpHeaderFlyweight.LENGTH);
        assembler
            .jump(done)
            .label(done + "-tcp");
        appendRoom(assembler, transport + TcpHeader.MIN_LENGTH);
        assembler
            .load(BpfSize.BYTE, R4, R2, transport + TcpHeader.DATA_OFFSET_OFFSET)
            .alu(BpfArithmetic.AND, R4, 0xF0)
            .alu(BpfArithmetic.RSH, R4, 2);
        appendLength(assembler, transport, TcpHeader.MIN_LENGTH);
        assembler
            .load(BpfSize.BYTE, R7, R2, transport + TcpHeader.FLAGS_OFFSET)
            .mov(R4, R7)
            .alu(BpfArithmetic.AND, R4, TcpHeader.SYN | TcpHeader.RST)
            .jumpIf(BpfCondition.EQUAL, R4, TcpHeader.RST, done + "-rst")
            .mov(R4, R7)
            .alu(BpfArithmetic.AND, R4, TcpHeader.SYN | TcpHeader.ACK)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, TcpHeader.ACK, PASS)
            .label(done + "-rst")
            .alu(BpfArithmetic.AND, R7, TcpHeader.FIN | TcpHeader.RST)
            .label(done);
    }

    /** Passes a frame unless the length in R4, from the transport header on, is at least the least one and fits. */
    private static void appendLength(final BpfAssembler assembler, final int transport, final int least)
    {
        assembler
            .jumpIf(BpfCondition.BELOW, R4, least, PASS)
            .alu(BpfArithmetic.ADD, R4, R2)
            .alu(BpfArithmetic.ADD, R4, transport)
            .jumpIf(BpfCondition.ABOVE, R4, R3, PASS);
    }

    /** Makes R9 = ports and word of the key, R2 = protocol and ports; R9 = the interface, R5 = protocol, R1 = ports. */
    private static void appendKey(final BpfAssembler assembler, final int flags)
    {
        assembler
            .mov(R2, R5)
            .alu(BpfArithmetic.LSH, R2, Integer.SIZE)
            .alu(BpfArithmetic.OR, R2, R1)
            .alu(BpfArithmetic.LSH, R5, FlowTableLayout.PROTOCOL_SHIFT)
            .alu(BpfArithmetic.OR, R9, R5)
            .alu32(BpfArithmetic.OR, R9, flags)
            .alu(BpfArithmetic.LSH, R9, Integer.SIZE)
            .alu(BpfArithmetic.OR, R9, R1);
    }

    /** Looks into both buckets; R3 = the folded addresses, R2 = protocol and ports. */
    private void appendLookups(final BpfAssembler assembler, final boolean isIpv6)
    {
        final String family = isIpv6 ? "6" : "4";
        assembler
            .movLong(R4, table.secret())
            .alu(BpfArithmetic.MUL, R3, R4)
            .alu(BpfArithmetic.ADD, R3, R2)
            .mov(R4, R3)
            .alu(BpfArithmetic.RSH, R4, FlowTableLayout.FOLD_SHIFT)
            .alu(BpfArithmetic.XOR, R3, R4)
            .movLong(R4, FlowTableLayout.MIX)
            .alu(BpfArithmetic.MUL, R3, R4)
            .mov(R4, R3)
            .alu(BpfArithmetic.RSH, R4, FlowTableLayout.TAG_IN_HASH_SHIFT)
            .alu(BpfArithmetic.AND, R4, 0xFF)
            .store(BpfSize.DOUBLE, R10, TAG, R4)
            .mov(R4, R3)
            .alu(BpfArithmetic.RSH, R4, FlowTableLayout.SECOND_BUCKET_SHIFT)
            .alu(BpfArithmetic.AND, R4, (1 << table.bucketBits()) - 1)
            .store(BpfSize.DOUBLE, R10, SECOND, R4)
            .alu(BpfArithmetic.RSH, R3, Long.SIZE - table.bucketBits())
            .store(BpfSize.WORD, R10, INDEX, R3);
        appendBucket(assembler, isIpv6, "first" + family);
        assembler
            .load(BpfSize.DOUBLE, R0, R10, BUCKET)
            .load(BpfSize.WORD, R1, R0, FlowTableLayout.OVERFLOWS_OFFSET)
            .jumpIf(BpfCondition.EQUAL, R1, 0, PASS)
            .load(BpfSize.DOUBLE, R1, R10, SECOND)
            .store(BpfSize.WORD, R10, INDEX, R1);
        appendBucket(assembler, isIpv6, "second" + family);
        assembler.jump(PASS);
    }

    /** Continues at {@link #HIT} if the bucket of the index on the stack has the direction of the frame. */
    private void appendBucket(final BpfAssembler assembler, final boolean isIpv6, final String label)
    {
        appendLookup(assembler, buckets, INDEX);
        assembler
            .jumpIf(BpfCondition.EQUAL, R0, 0, PASS)
            .store(BpfSize.DOUBLE, R10, BUCKET, R0);
        for (int i = 0; i < FlowTableLayout.ENTRIES; i++)
        {
            final String next = label + "-" + i;
            assembler
                .load(BpfSize.DOUBLE, R0, R10, BUCKET)
                .load(BpfSize.DOUBLE, R3, R10, TAG)
                .load(BpfSize.WORD, R1, R0, FlowTableLayout.ENTRIES_OFFSET + i * Integer.BYTES)
                .mov(R2, R1)
                .alu(BpfArithmetic.RSH, R2, FlowTableLayout.TAG_SHIFT)
                .jumpIf(BpfCondition.NOT_EQUAL, R2, R3, next)
                .alu(BpfArithmetic.AND, R1, FlowTableLayout.DIRECTION_MASK)
                .store(BpfSize.WORD, R10, DIRECTION, R1);
            appendLookup(assembler, lines, DIRECTION);
            assembler
                .jumpIf(BpfCondition.EQUAL, R0, 0, next)
                .load(BpfSize.DOUBLE, R1, R0, FlowTableLayout.PORTS_OFFSET)
                .jumpIf(BpfCondition.NOT_EQUAL, R1, R9, next);
            if (isIpv6)
            {
                appendIpv6Comparison(assembler, next);
            }
            else
            {
                assembler
                    .load(BpfSize.DOUBLE, R1, R0, FlowTableLayout.SOURCE_OFFSET)
                    .jumpIf(BpfCondition.NOT_EQUAL, R1, R8, next);
            }
            assembler.jump(HIT).label(next);
        }
    }

    private static void appendIpv6Comparison(final BpfAssembler assembler, final String next)
    {
        for (int offset = 0; offset < 2 * Ipv6Address.LENGTH; offset += Long.BYTES)
        {
            assembler
                .load(BpfSize.DOUBLE, R1, R0, FlowTableLayout.SOURCE_OFFSET + offset)
                .load(BpfSize.DOUBLE, R2, R10, ADDRESSES + offset)
                .jumpIf(BpfCondition.NOT_EQUAL, R1, R2, next);
        }
    }

    private static void appendLookup(final BpfAssembler assembler, final BpfMap map, final int keyOnStack)
    {
        assembler
            .movMap(R1, map)
            .mov(R2, R10)
            .alu(BpfArithmetic.ADD, R2, keyOnStack)
            .call(BpfHelper.MAP_LOOKUP_ELEM);
    }

    /** Redirects a frame of a flow with its direction as metadata; R0 = the line. */
    private void appendHit(final BpfAssembler assembler)
    {
        assembler
            .label(HIT)
            .jumpIf(BpfCondition.NOT_EQUAL, R7, 0, INVALIDATE)
            .mov(R1, R6)
            .mov(R2, -METADATA_LENGTH)
            .call(BpfHelper.XDP_ADJUST_META)
            .jumpIf(BpfCondition.NOT_EQUAL, R0, 0, TAKE)
            .load(BpfSize.WORD, R1, R6, XdpContextLayout.DATA_META_OFFSET)
            .load(BpfSize.WORD, R2, R6, XdpContextLayout.DATA_OFFSET)
            .mov(R3, R1)
            .alu(BpfArithmetic.ADD, R3, METADATA_LENGTH)
            .jumpIf(BpfCondition.ABOVE, R3, R2, TAKE)
            .load(BpfSize.WORD, R3, R10, DIRECTION)
            .store(BpfSize.DOUBLE, R1, 0, R3)
            .jump(TAKE)
            .label(INVALIDATE);
        appendInvalidation(assembler, R0);
        assembler
            .load(BpfSize.WORD, R1, R10, DIRECTION)
            .alu(BpfArithmetic.XOR, R1, 1)
            .store(BpfSize.WORD, R10, DIRECTION, R1);
        appendLookup(assembler, lines, DIRECTION);
        assembler.jumpIf(BpfCondition.EQUAL, R0, 0, PASS);
        appendInvalidation(assembler, R0);
        assembler.jump(PASS);
    }

    private static void appendInvalidation(final BpfAssembler assembler, final BpfRegister line)
    {
        assembler
            .load(BpfSize.WORD, R1, line, FlowTableLayout.WORD_OFFSET)
            .alu32(BpfArithmetic.AND, R1, ~FlowTableLayout.VALID)
            .store(BpfSize.WORD, line, FlowTableLayout.WORD_OFFSET, R1);
    }
}
