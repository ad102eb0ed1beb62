package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfMapType;
import org.fibnuma.binding.bpf.BpfRegister;
import org.fibnuma.binding.bpf.BpfSize;
import org.fibnuma.binding.bpf.XdpContextLayout;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R10;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.fibnuma.binding.bpf.BpfRegister.R4;
import static org.fibnuma.binding.bpf.BpfRegister.R5;
import static org.fibnuma.binding.bpf.BpfRegister.R7;
import static org.fibnuma.binding.bpf.BpfRegister.R8;
import static org.fibnuma.binding.bpf.BpfRegister.R9;

/**
 * The interfaces of a port that its XDP programs know, the port itself, its VLANs and the macvlan interfaces of both,
 * and the instructions that find the interface of a frame. An entry of an interface has 16 bytes: its MAC address in
 * the byte order of frames, one byte of flags, one that is 0, and its number, 32 bits.
 */
final class InterfaceRecognition implements AutoCloseable
{
    /** Label of the instructions for frames that the kernel receives. */
    static final String PASS = "pass";
    /** Label of the instructions for frames that the sockets receive. */
    static final String TAKE = "take";
    /** Flags of an entry, 8 bits. */
    static final int FLAGS_OFFSET = Integer.BYTES + Short.BYTES;
    /** Number of the interface, 32 bits. */
    static final int NUMBER_OFFSET = Long.BYTES;
    /** Flag: the kernel receives all IPv4 frames. */
    static final int IPV4_LEFT = 1;
    /** Flag: the kernel receives all IPv6 frames. */
    static final int IPV6_LEFT = 2;
    /** Flag: the sockets receive IPv4 frames of flows only. */
    static final int IPV4_FLOWS = 8;
    /** Flag: the sockets receive IPv6 frames of flows only. */
    static final int IPV6_FLOWS = 16;

    /** Flag: there are VLAN or macvlan interfaces. The port receives frames with a priority tag, too. */
    private static final int HAS_VLANS = 4;
    private static final int ENTRY_LENGTH = 2 * Long.BYTES;
    private static final String TAGGED = "tagged";
    private static final String ANY_TAG = "any-tag";
    private static final String TWICE_TAGGED = "twice-tagged";
    private static final String VLAN = "vlan";
    private static final String INTERFACE = "interface";
    private static final String OTHER_MAC = "other-mac";
    private static final String MACVLAN = "macvlan";
    private static final String TO_US = "to-us";
    /** More VLAN interfaces than a router has. Memory is allocated only for entries in use. */
    private static final int MAX_TAKEN_VLANS = 4096;
    /** EtherType and VID of a VLAN tag. */
    private static final int TAG_IDENTITY = 0xFFFF_0000 | VlanTag.VID_MASK;
    private static final int VLAN_KEY_ON_STACK = -Long.BYTES;

    private final PortFilter filter;
    private final int portIndex;
    /** The entry of the port. The programs read it without a helper call. */
    private final BpfMap port;
    /** Entries by {@link VlanTag#identity} or {@link InterfaceNumber#macvlanIdentity}. */
    private final BpfMap vlans;
    private long macAddress;
    private int families;
    private int vlanCount;

    /** Creates the maps. All transit of the port is redirected, none of the interfaces above it. */
    InterfaceRecognition(final long macAddress, final int portIndex, final PortFilter filter)
    {
        this.filter = filter;
        this.portIndex = portIndex;
        this.port = BpfMap.create(BpfMapType.ARRAY, Integer.BYTES, ENTRY_LENGTH, 1, 0, "fibnuma_port");
        this.vlans = BpfMap.create(
            BpfMapType.HASH, Long.BYTES, ENTRY_LENGTH, MAX_TAKEN_VLANS, BpfMap.NO_PREALLOC, "fibnuma_vlans");
        macAddress(macAddress);
    }

    void macAddress(final long address)
    {
        macAddress = address;
        putPort();
    }

    /** Sets which transit of the port is redirected, as far as the filter has it. */
    void takeTransit(final Transit ipv4, final Transit ipv6)
    {
        families = flags(ipv4, ipv6);
        putPort();
    }

    private void putPort()
    {
        port.put(BpfMap.bytes(0), entry(macAddress, families | (vlanCount == 0 ? 0 : HAS_VLANS), portIndex));
    }

    private static int flags(final Transit ipv4, final Transit ipv6)
    {
        return flag(ipv4, IPV4_LEFT, IPV4_FLOWS) | flag(ipv6, IPV6_LEFT, IPV6_FLOWS);
    }

    private static int flag(final Transit transit, final int left, final int flows)
    {
        return switch (transit)
        {
            case KERNEL -> left;
            case FLOWS -> flows;
            case ALL -> 0;
        };
    }

    private static byte[] entry(final long macAddress, final int flags, final int number)
    {
        return ByteBuffer.allocate(ENTRY_LENGTH).putInt((int)(macAddress >>> Short.SIZE))
            .putShort((short)macAddress).put((byte)flags).put((byte)0)
            .order(ByteOrder.nativeOrder()).putInt(number).array();
    }

    /**
     * Sets which transit of a VLAN or macvlan interface is redirected, see
     * {@link org.fibnuma.core.port.SharedInterface#takeVlan}.
     */
    void takeVlan(
        final int number, final long identity, final long macAddressOfVlan, final Transit ipv4, final Transit ipv6)
    {
        vlans.put(key(identity), entry(macAddressOfVlan, flags(ipv4, ipv6) | HAS_VLANS, number));
    }

    void leaveVlan(final long identity)
    {
        vlans.remove(key(identity));
    }

    /** Sets the number of interfaces above the port. If it is 0, tags and other MAC addresses are not examined. */
    void vlanCount(final int count)
    {
        vlanCount = count;
        putPort();
    }

    private static byte[] key(final long identity)
    {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(identity).array();
    }

    /**
     * Appends the instructions that continue with frames of sufficient length for an IPv4 header to the MAC address of
     * their interface. The context is in R1. Afterwards R2 = the frame's first byte, advanced by the length of its VLAN
     * tags, R3 and R8 = the frame's end, R7 = its first byte, R0 = the entry of the interface, R4 = the EtherType.
     */
    void appendTo(final BpfAssembler assembler)
    {
        assembler
            .load(BpfSize.WORD, R7, R1, XdpContextLayout.DATA_OFFSET)
            .load(BpfSize.WORD, R8, R1, XdpContextLayout.DATA_END_OFFSET)
            .mov(R2, R7)
            .mov(R4, R7)
            .alu(BpfArithmetic.ADD, R4, EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH)
            .jumpIf(BpfCondition.ABOVE, R4, R8, PASS)
            .load(BpfSize.HALF, R4, R2, EthernetHeaderFlyweight.ETHER_TYPE_OFFSET)
            .networkOrder(BpfSize.HALF, R4);
        if (filter.macControl())
        {
            assembler.jumpIf(BpfCondition.EQUAL, R4, EtherType.MAC_CONTROL, TAKE);
        }
        assembler.movMapValue(R0, port, 0);
        if (filter.onlyAddress() == 0 || filter.macControl())
        {
            assembler
                .jumpIf(BpfCondition.EQUAL, R4, EtherType.VLAN, TAGGED)
                .jumpIf(BpfCondition.NOT_EQUAL, R4, EtherType.SERVICE_VLAN, INTERFACE)
                .label(TAGGED);
            appendTags(assembler);
        }
        assembler
            .label(INTERFACE)
            .mov(R3, R8)
            .load(BpfSize.WORD, R4, R7, EthernetHeaderFlyweight.DESTINATION_OFFSET)
            .load(BpfSize.WORD, R5, R0, 0)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, R5, filter.onlyAddress() == 0 ? OTHER_MAC : PASS)
            .load(BpfSize.HALF, R4, R7, EthernetHeaderFlyweight.DESTINATION_OFFSET + Integer.BYTES)
            .load(BpfSize.HALF, R5, R0, Integer.BYTES);
        if (filter.onlyAddress() == 0)
        {
            assembler.jumpIf(BpfCondition.EQUAL, R4, R5, TO_US);
            appendMacvlans(assembler);
            assembler.label(TO_US);
        }
        else
        {
            assembler.jumpIf(BpfCondition.NOT_EQUAL, R4, R5, PASS);
        }
        assembler
            .load(BpfSize.HALF, R4, R2, EthernetHeaderFlyweight.ETHER_TYPE_OFFSET)
            .networkOrder(BpfSize.HALF, R4);
    }

    /**
     * Continues with a frame to the MAC address of a macvlan interface that is above its interface. R0 = the entry of
     * the interface, then of the macvlan interface. R2, R7, R8 are kept, R3 = R8.
     */
    private void appendMacvlans(final BpfAssembler assembler)
    {
        assembler
            .label(OTHER_MAC)
            .load(BpfSize.BYTE, R4, R0, FLAGS_OFFSET)
            .jumpIf(BpfCondition.ANY_BIT, R4, HAS_VLANS, MACVLAN)
            .jump(PASS)
            .label(MACVLAN)
            .load(BpfSize.WORD, R5, R0, NUMBER_OFFSET)
            .alu(BpfArithmetic.RSH, R5, InterfaceNumber.PORT_BITS)
            .alu(BpfArithmetic.ADD, R5, 1)
            .alu(BpfArithmetic.LSH, R5, 3 * Short.SIZE)
            .load(BpfSize.WORD, R4, R7, EthernetHeaderFlyweight.DESTINATION_OFFSET)
            .networkOrder(BpfSize.WORD, R4)
            .alu(BpfArithmetic.LSH, R4, Short.SIZE)
            .alu(BpfArithmetic.OR, R5, R4)
            .load(BpfSize.HALF, R4, R7, EthernetHeaderFlyweight.DESTINATION_OFFSET + Integer.BYTES)
            .networkOrder(BpfSize.HALF, R4)
            .alu(BpfArithmetic.OR, R5, R4);
        appendLookup(assembler, R5);
        assembler.mov(R3, R8);
    }

    /** Continues with a frame whose interface is in the map. R0 = the entry of the interface, R2 is kept. */
    private void appendLookup(final BpfAssembler assembler, final BpfRegister identity)
    {
        assembler
            .store(BpfSize.DOUBLE, R10, VLAN_KEY_ON_STACK, identity)
            .mov(R9, R2)
            .movMap(R1, vlans)
            .mov(R2, R10)
            .alu(BpfArithmetic.ADD, R2, VLAN_KEY_ON_STACK)
            .call(BpfHelper.MAP_LOOKUP_ELEM)
            .jumpIf(BpfCondition.EQUAL, R0, 0, PASS)
            .mov(R2, R9);
    }

    /**
     * Continues with a frame that has one VLAN tag with VID 0 or the tags of a VLAN in the map. R2 is advanced by the
     * length of the tags, R0 = the entry of the port or VLAN. R7, R8 = the frame's bounds.
     */
    private void appendTags(final BpfAssembler assembler)
    {
        if (!filter.macControl())
        {
            assembler
                .load(BpfSize.BYTE, R4, R0, FLAGS_OFFSET)
                .jumpIf(BpfCondition.ANY_BIT, R4, HAS_VLANS, ANY_TAG)
                .jump(PASS)
                .label(ANY_TAG);
        }
        appendRoomForTags(assembler, VlanTag.LENGTH);
        assembler
            .load(BpfSize.WORD, R9, R7, EthernetHeaderFlyweight.ETHER_TYPE_OFFSET)
            .networkOrder(BpfSize.WORD, R9)
            .alu(BpfArithmetic.AND, R9, TAG_IDENTITY)
            .alu(BpfArithmetic.ADD, R2, VlanTag.LENGTH)
            .load(BpfSize.HALF, R4, R7, VlanTag.INNER_ETHER_TYPE_OFFSET)
            .networkOrder(BpfSize.HALF, R4);
        if (filter.onlyAddress() == 0)
        {
            assembler
                .jumpIf(BpfCondition.EQUAL, R4, EtherType.VLAN, TWICE_TAGGED)
                .jumpIf(BpfCondition.EQUAL, R4, EtherType.SERVICE_VLAN, TWICE_TAGGED);
        }
        assembler
            .mov(R4, R9)
            .alu(BpfArithmetic.AND, R4, VlanTag.VID_MASK)
            .jumpIf(BpfCondition.EQUAL, R4, 0, INTERFACE);
        if (filter.onlyAddress() != 0)
        {
            assembler.jump(PASS);
            return;
        }
        assembler.jump(VLAN).label(TWICE_TAGGED);
        appendRoomForTags(assembler, VlanTag.DOUBLE_LENGTH);
        assembler
            .load(BpfSize.WORD, R5, R7, VlanTag.INNER_ETHER_TYPE_OFFSET)
            .networkOrder(BpfSize.WORD, R5)
            .alu(BpfArithmetic.AND, R5, TAG_IDENTITY)
            .alu(BpfArithmetic.ADD, R2, VlanTag.LENGTH)
            .alu(BpfArithmetic.LSH, R9, Integer.SIZE)
            .alu(BpfArithmetic.OR, R9, R5)
            .label(VLAN);
        appendLookup(assembler, R9);
    }

    /** Passes a frame that is too short for VLAN tags and an IPv4 header; R7, R8 = its bounds. */
    private static void appendRoomForTags(final BpfAssembler assembler, final int tagLength)
    {
        assembler
            .mov(R4, R7)
            .alu(BpfArithmetic.ADD, R4,
                EthernetHeaderFlyweight.LENGTH + tagLength + Ipv4HeaderFlyweight.MIN_LENGTH)
            .jumpIf(BpfCondition.ABOVE, R4, R8, PASS);
    }

    @Override
    public void close()
    {
        vlans.close();
        port.close();
    }
}
