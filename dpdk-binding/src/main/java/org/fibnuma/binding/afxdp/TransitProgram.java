package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfMapType;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfSize;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpContextLayout;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.wire.ArpFlyweight;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

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
 * The XDP program of a port and its maps. It redirects frames that a router forwards to the sockets: IPv4 to this
 * port's MAC address, unless the destination is an address of this host, multicast or the limited broadcast; and, if
 * the filter has IPv6, IPv6 to this port's MAC address, unless the destination is an address of this host, multicast or
 * link-local. The kernel receives everything else: ARP, neighbour discovery, broadcasts, packets for this host, frames
 * with other VLAN tags, a family whose transit is left to it, and all frames of a queue without a socket. Only the
 * fixed headers are examined; the router processes IPv6 extension headers and hop limits.
 * <p>
 * The same holds for each VLAN whose transit is redirected, with the MAC address of its interface and one or two VLAN
 * tags; if there is any, a single tag with VID 0 counts as none. If the port receives flow control, PAUSE and PFC
 * frames also go to the sockets, as does IP with a tag with VID 0. {@link RedirectProgram} handles frames of a live run
 * whose ingress interface is the loopback, and {@link PuntProgram} those with its metadata.
 * <pre>
 *   short, other tags, other MAC, not IP, family not taken, local, multicast, 255.255.255.255, fe80::/10 --> XDP_PASS
 *   the rest --> xsks[rx_queue_index], XDP_PASS where there is none
 *   port for one address: IPv4 to it, ARP whose target it is --> xsks[rx_queue_index]; the rest --> XDP_PASS
 * </pre>
 */
final class TransitProgram implements AutoCloseable
{
    private static final String NAME = "fibnuma_transit";
    private static final String PASS = "pass";
    private static final String TAKE = "take";
    private static final String NOT_ARP = "not-arp";
    private static final String TAGGED = "tagged";
    private static final String ANY_TAG = "any-tag";
    private static final String TWICE_TAGGED = "twice-tagged";
    private static final String VLAN = "vlan";
    private static final String INTERFACE = "interface";
    private static final String NOT_IPV6 = "not-ipv6";
    /** More addresses than a host has, including broadcast addresses. Memory is allocated only for entries in use. */
    private static final int MAX_LOCAL_ADDRESSES = 65_536;
    private static final int MULTICAST_FIRST_OCTET = 224;
    private static final int MULTICAST_LAST_OCTET = 239;
    private static final int IPV6_MULTICAST_FIRST_OCTET = 0xFF;
    private static final int IPV6_LINK_LOCAL = 0xFE80;
    private static final int IPV6_LINK_LOCAL_MASK = 0xFFC0;
    private static final int LEFT_FAMILIES_OFFSET = Integer.BYTES + Short.BYTES;
    private static final int IPV4_LEFT = 1;
    private static final int IPV6_LEFT = 2;
    /** The port receives frames of VLANs, and those with a priority tag. */
    private static final int HAS_VLANS = 4;
    /** More VLAN interfaces than a router has. Memory is allocated only for entries in use. */
    private static final int MAX_TAKEN_VLANS = 4096;
    /** EtherType and VID of a VLAN tag. */
    private static final int TAG_IDENTITY = 0xFFFF_0000 | VlanTag.VID_MASK;
    private static final int VLAN_KEY_ON_STACK = -Long.BYTES;
    private static final int KEY_ON_STACK = -Integer.BYTES;
    private static final int IPV6_KEY_ON_STACK = -Ipv6Address.LENGTH;
    private static final String REDIRECT = "redirect";
    /** LOOPBACK_IFINDEX of net/flow.h: the same in every network namespace. */
    private static final int LOOPBACK_IFINDEX = 1;

    private final BpfMap sockets;
    private final BpfMap localAddresses;
    private final BpfMap localIpv6Addresses;
    /**
     * One entry: this port's MAC address in the byte order of frames, then one bit for each family that is left to the
     * kernel. The program reads it without a helper call.
     */
    private final BpfMap settings;
    /** An entry as in {@link #settings} by the identity of the VLAN tags, see {@link VlanTag#identity}. */
    private final BpfMap vlans;
    private final BpfProgram program;
    private long macAddress;
    private int leftFamilies;
    private int vlanCount;

    /**
     * Loads the program for the frames that a filter selects. The caller closes the transmitting part and the part for
     * punted frames, which may be null.
     */
    TransitProgram(
        final long macAddress,
        final int queueCount,
        final RedirectProgram redirect,
        final PuntProgram punt,
        final PortFilter filter)
    {
        final List<BpfMap> maps = new ArrayList<>();
        boolean complete = false;
        try
        {
            this.sockets = add(maps, BpfMap.create(
                BpfMapType.XSKMAP, Integer.BYTES, Integer.BYTES, queueCount, 0, "fibnuma_sockets"));
            this.localAddresses = add(maps, BpfMap.create(
                BpfMapType.HASH, Integer.BYTES, Byte.BYTES, MAX_LOCAL_ADDRESSES, BpfMap.NO_PREALLOC, "fibnuma_local"));
            this.localIpv6Addresses = add(maps, BpfMap.create(BpfMapType.HASH, Ipv6Address.LENGTH, Byte.BYTES,
                MAX_LOCAL_ADDRESSES, BpfMap.NO_PREALLOC, "fibnuma_local6"));
            this.settings = add(maps, BpfMap.create(
                BpfMapType.ARRAY, Integer.BYTES, Long.BYTES, 1, 0, "fibnuma_port"));
            this.vlans = add(maps, BpfMap.create(
                BpfMapType.HASH, Long.BYTES, Long.BYTES, MAX_TAKEN_VLANS, BpfMap.NO_PREALLOC, "fibnuma_vlans"));
            macAddress(macAddress);
            this.program = BpfProgram.loadXdp(code(redirect, punt, filter), NAME);
            complete = true;
        }
        finally
        {
            if (!complete)
            {
                maps.forEach(BpfMap::close);
            }
        }
    }

    private static BpfMap add(final List<BpfMap> maps, final BpfMap map)
    {
        maps.add(map);
        return map;
    }

    BpfProgram program()
    {
        return program;
    }

    void socket(final int queue, final int fd)
    {
        sockets.put(BpfMap.bytes(queue), BpfMap.bytes(fd));
    }

    /** Passes all frames of a queue to the kernel from now on, including PAUSE and PFC frames. */
    void withoutSocket(final int queue)
    {
        sockets.remove(BpfMap.bytes(queue));
    }

    void macAddress(final long address)
    {
        macAddress = address;
        putSettings();
    }

    /** Sets of which families transit is redirected, as far as the filter has them; at first both. */
    void takeTransit(final boolean ipv4, final boolean ipv6)
    {
        leftFamilies = (ipv4 ? 0 : IPV4_LEFT) | (ipv6 ? 0 : IPV6_LEFT);
        putSettings();
    }

    private void putSettings()
    {
        settings.put(BpfMap.bytes(0), entry(macAddress, leftFamilies | (vlanCount == 0 ? 0 : HAS_VLANS)));
    }

    private static byte[] entry(final long macAddress, final int flags)
    {
        return ByteBuffer.allocate(Long.BYTES).putInt((int)(macAddress >>> Short.SIZE))
            .putShort((short)macAddress).put((byte)flags).array();
    }

    /**
     * Sets of which families the transit of a VLAN is redirected.
     *
     * @param tags             VLAN tags that identify it, see {@link VlanTag#identity}.
     * @param macAddressOfVlan of its interface.
     * @param ipv4             false to leave its IPv4 to the kernel.
     * @param ipv6             false to leave its IPv6 to the kernel.
     */
    void takeVlan(final long tags, final long macAddressOfVlan, final boolean ipv4, final boolean ipv6)
    {
        vlans.put(key(tags), entry(macAddressOfVlan, (ipv4 ? 0 : IPV4_LEFT) | (ipv6 ? 0 : IPV6_LEFT)));
    }

    void leaveVlan(final long tags)
    {
        vlans.remove(key(tags));
    }

    /** Sets the number of VLANs whose transit is redirected. If it is 0, tagged frames are not examined. */
    void vlanCount(final int count)
    {
        vlanCount = count;
        putSettings();
    }

    private static byte[] key(final long tags)
    {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(tags).array();
    }

    void localAddress(final IpAddress address, final boolean local)
    {
        final BpfMap map = address.isIpv4() ? localAddresses : localIpv6Addresses;
        final byte[] key = address.isIpv4() ?
            ByteBuffer.allocate(Ipv4Address.LENGTH).putInt(address.ipv4()).array() :
            ByteBuffer.allocate(Ipv6Address.LENGTH).putLong(address.high()).putLong(address.low()).array();
        if (local)
        {
            map.put(key, new byte[Byte.BYTES]);
        }
        else
        {
            map.remove(key);
        }
    }

    @Override
    public void close()
    {
        program.close();
        vlans.close();
        settings.close();
        localIpv6Addresses.close();
        localAddresses.close();
        sockets.close();
    }

    private byte[] code(final RedirectProgram redirect, final PuntProgram punt, final PortFilter filter)
    {
        final BpfAssembler assembler = new BpfAssembler().mov(R6, R1);
        if (redirect != null)
        {
            assembler.load(BpfSize.WORD, R2, R1, XdpContextLayout.INGRESS_IFINDEX_OFFSET)
                .jumpIf(BpfCondition.EQUAL, R2, LOOPBACK_IFINDEX, REDIRECT);
        }
        if (punt != null)
        {
            punt.appendRecognition(assembler);
        }
        final int only = filter.onlyAddress();
        if (only != 0)
        {
            appendArp(assembler, only);
        }
        appendLinkLayer(assembler, filter);
        if (only != 0)
        {
            appendOnly(assembler, only);
        }
        else
        {
            appendDestination(assembler);
        }
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
        if (redirect != null)
        {
            redirect.appendTo(assembler.label(REDIRECT));
        }
        if (punt != null)
        {
            punt.appendTo(assembler);
        }
        return assembler.assemble();
    }

    /**
     * Redirects transit IPv6 if the filter has it, and continues with IPv4 frames of sufficient length to the MAC
     * address of the interface. R2 = the frame's first byte, advanced by the length of its VLAN tags, R0 = the settings
     * of the interface.
     */
    private void appendLinkLayer(final BpfAssembler assembler, final PortFilter filter)
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
        assembler.movMapValue(R0, settings, 0);
        if (filter.onlyAddress() == 0 || filter.macControl())
        {
            assembler
                .jumpIf(BpfCondition.EQUAL, R4, EtherType.VLAN, TAGGED)
                .jumpIf(BpfCondition.NOT_EQUAL, R4, EtherType.SERVICE_VLAN, INTERFACE)
                .label(TAGGED);
            appendTags(assembler, filter);
        }
        assembler
            .label(INTERFACE)
            .mov(R3, R8)
            .load(BpfSize.WORD, R4, R7, EthernetHeaderFlyweight.DESTINATION_OFFSET)
            .load(BpfSize.WORD, R5, R0, 0)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, R5, PASS)
            .load(BpfSize.HALF, R4, R7, EthernetHeaderFlyweight.DESTINATION_OFFSET + Integer.BYTES)
            .load(BpfSize.HALF, R5, R0, Integer.BYTES)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, R5, PASS)
            .load(BpfSize.HALF, R4, R2, EthernetHeaderFlyweight.ETHER_TYPE_OFFSET)
            .networkOrder(BpfSize.HALF, R4);
        if (filter.ipv6())
        {
            assembler.jumpIf(BpfCondition.NOT_EQUAL, R4, EtherType.IPV6, NOT_IPV6);
            appendIpv6Destination(assembler);
            assembler.label(NOT_IPV6);
        }
        assembler.jumpIf(BpfCondition.NOT_EQUAL, R4, EtherType.IPV4, PASS);
    }

    /**
     * Continues with a frame that has one VLAN tag with VID 0 or the tags of a VLAN in the map. R2 is advanced by the
     * length of the tags, R0 = the settings of the port or VLAN. R7, R8 = the frame's bounds.
     */
    private void appendTags(final BpfAssembler assembler, final PortFilter filter)
    {
        if (!filter.macControl())
        {
            assembler
                .load(BpfSize.BYTE, R4, R0, LEFT_FAMILIES_OFFSET)
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
            .label(VLAN)
            .store(BpfSize.DOUBLE, R10, VLAN_KEY_ON_STACK, R9)
            .mov(R9, R2)
            .movMap(R1, vlans)
            .mov(R2, R10)
            .alu(BpfArithmetic.ADD, R2, VLAN_KEY_ON_STACK)
            .call(BpfHelper.MAP_LOOKUP_ELEM)
            .jumpIf(BpfCondition.EQUAL, R0, 0, PASS)
            .mov(R2, R9);
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

    /**
     * Redirects IPv6 to destinations that are neither multicast nor link-local nor local. R2, R3 = the frame's bounds,
     * R0 = the settings.
     */
    private void appendIpv6Destination(final BpfAssembler assembler)
    {
        final int destination = EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.DESTINATION_OFFSET;
        assembler
            .mov(R4, R2)
            .alu(BpfArithmetic.ADD, R4, EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH)
            .jumpIf(BpfCondition.ABOVE, R4, R3, PASS)
            .load(BpfSize.BYTE, R4, R0, LEFT_FAMILIES_OFFSET)
            .jumpIf(BpfCondition.ANY_BIT, R4, IPV6_LEFT, PASS)
            .load(BpfSize.BYTE, R4, R2, destination)
            .jumpIf(BpfCondition.EQUAL, R4, IPV6_MULTICAST_FIRST_OCTET, PASS)
            .load(BpfSize.HALF, R4, R2, destination)
            .networkOrder(BpfSize.HALF, R4)
            .alu(BpfArithmetic.AND, R4, IPV6_LINK_LOCAL_MASK)
            .jumpIf(BpfCondition.EQUAL, R4, IPV6_LINK_LOCAL, PASS);
        for (int offset = 0; offset < Ipv6Address.LENGTH; offset += Integer.BYTES)
        {
            assembler
                .load(BpfSize.WORD, R4, R2, destination + offset)
                .store(BpfSize.WORD, R10, IPV6_KEY_ON_STACK + offset, R4);
        }
        assembler
            .movMap(R1, localIpv6Addresses)
            .mov(R2, R10)
            .alu(BpfArithmetic.ADD, R2, IPV6_KEY_ON_STACK)
            .call(BpfHelper.MAP_LOOKUP_ELEM)
            .jumpIf(BpfCondition.NOT_EQUAL, R0, 0, PASS)
            .jump(TAKE);
    }

    /** Redirects ARP packets with a target address, continues with other frames; R1 = the context, unchanged. */
    private static void appendArp(final BpfAssembler assembler, final int address)
    {
        assembler
            .load(BpfSize.WORD, R2, R1, XdpContextLayout.DATA_OFFSET)
            .load(BpfSize.WORD, R3, R1, XdpContextLayout.DATA_END_OFFSET)
            .mov(R4, R2)
            .alu(BpfArithmetic.ADD, R4, EthernetHeaderFlyweight.LENGTH + ArpFlyweight.LENGTH)
            .jumpIf(BpfCondition.ABOVE, R4, R3, NOT_ARP)
            .load(BpfSize.HALF, R4, R2, EthernetHeaderFlyweight.ETHER_TYPE_OFFSET)
            .networkOrder(BpfSize.HALF, R4)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, EtherType.ARP, NOT_ARP)
            .load(BpfSize.WORD, R4, R2, EthernetHeaderFlyweight.LENGTH + ArpFlyweight.TARGET_IPV4_OFFSET)
            .alu32(BpfArithmetic.MOV, R5, asLoaded(address))
            .jumpIf(BpfCondition.EQUAL, R4, R5, TAKE)
            .label(NOT_ARP);
    }

    /** Continues with one destination. */
    private static void appendOnly(final BpfAssembler assembler, final int address)
    {
        assembler
            .load(BpfSize.WORD, R4, R2, EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.DESTINATION_OFFSET)
            .alu32(BpfArithmetic.MOV, R5, asLoaded(address))
            .jumpIf(BpfCondition.NOT_EQUAL, R4, R5, PASS);
    }

    /** Returns the result of a 32-bit load of an address from a packet. */
    private static int asLoaded(final int address)
    {
        return ByteBuffer.allocate(Integer.BYTES).putInt(address).order(ByteOrder.nativeOrder()).getInt(0);
    }

    /** Continues with destinations that are neither multicast nor broadcast nor local; R0 = the settings. */
    private void appendDestination(final BpfAssembler assembler)
    {
        final int destination = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.DESTINATION_OFFSET;
        assembler
            .load(BpfSize.BYTE, R4, R0, LEFT_FAMILIES_OFFSET)
            .jumpIf(BpfCondition.ANY_BIT, R4, IPV4_LEFT, PASS)
            .load(BpfSize.BYTE, R4, R2, destination)
            .jumpIf(BpfCondition.BELOW, R4, MULTICAST_FIRST_OCTET, "unicast")
            .jumpIf(BpfCondition.BELOW_OR_EQUAL, R4, MULTICAST_LAST_OCTET, PASS)
            .label("unicast")
            .load(BpfSize.WORD, R4, R2, destination)
            .alu32(BpfArithmetic.MOV, R5, -1)
            .jumpIf(BpfCondition.EQUAL, R4, R5, PASS)
            .store(BpfSize.WORD, R10, KEY_ON_STACK, R4)
            .movMap(R1, localAddresses)
            .mov(R2, R10)
            .alu(BpfArithmetic.ADD, R2, KEY_ON_STACK)
            .call(BpfHelper.MAP_LOOKUP_ELEM)
            .jumpIf(BpfCondition.NOT_EQUAL, R0, 0, PASS);
    }
}
