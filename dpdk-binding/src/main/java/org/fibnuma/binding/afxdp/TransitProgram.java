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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

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
    private static final String NOT_ARP = "not-arp";
    private static final String NOT_IPV6 = "not-ipv6";
    /** More addresses than a host has, including broadcast addresses. Memory is allocated only for entries in use. */
    private static final int MAX_LOCAL_ADDRESSES = 65_536;
    private static final int MULTICAST_FIRST_OCTET = 224;
    private static final int MULTICAST_LAST_OCTET = 239;
    private static final int IPV6_MULTICAST_FIRST_OCTET = 0xFF;
    private static final int IPV6_LINK_LOCAL = 0xFE80;
    private static final int IPV6_LINK_LOCAL_MASK = 0xFFC0;
    private static final String NOT_ALL_IPV4 = "not-all-ipv4";
    private static final String NOT_ALL_IPV6 = "not-all-ipv6";
    private static final String FLOWS = "flows";
    private static final int KEY_ON_STACK = -Integer.BYTES;
    private static final int IPV6_KEY_ON_STACK = -Ipv6Address.LENGTH;
    private static final String REDIRECT = "redirect";
    /** LOOPBACK_IFINDEX of net/flow.h: the same in every network namespace. */
    private static final int LOOPBACK_IFINDEX = 1;

    private final BpfMap sockets;
    private final BpfMap localAddresses;
    private final BpfMap localIpv6Addresses;
    private final InterfaceRecognition interfaces;
    /** At index 0 the {@link FlowProgram}, if there is one. */
    private final BpfMap flowPrograms;
    private final BpfProgram program;

    /**
     * Loads the program for the frames that a filter selects. The caller closes the interfaces, the transmitting part
     * and the part for punted frames, of which the latter two may be null.
     */
    TransitProgram(
        final InterfaceRecognition interfaces,
        final int queueCount,
        final RedirectProgram redirect,
        final PuntProgram punt,
        final PortFilter filter)
    {
        this.interfaces = interfaces;
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
            this.flowPrograms = add(maps, BpfMap.create(
                BpfMapType.PROG_ARRAY, Integer.BYTES, Integer.BYTES, 1, 0, "fibnuma_flows"));
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

    /** Returns the sockets by queue, which {@link FlowProgram} uses too. */
    BpfMap sockets()
    {
        return sockets;
    }

    /** Sets the program for the frames of interfaces that receive frames of flows only; null for none. */
    void flows(final FlowProgram flows)
    {
        if (flows == null)
        {
            flowPrograms.remove(BpfMap.bytes(0));
        }
        else
        {
            flowPrograms.put(BpfMap.bytes(0), BpfMap.bytes(flows.program().fd()));
        }
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
        flowPrograms.close();
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
        interfaces.appendTo(assembler);
        appendFamilies(assembler, filter);
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
            .exit();
        if (only == 0)
        {
            appendFlows(assembler, filter);
        }
        assembler
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
     * Redirects transit IPv6 if the filter has it, and continues with IPv4 frames. R2 = the frame's first byte,
     * advanced by the length of its VLAN tags, R3 = its end, R0 = the entry of its interface.
     */
    private void appendFamilies(final BpfAssembler assembler, final PortFilter filter)
    {
        if (filter.ipv6())
        {
            assembler.jumpIf(BpfCondition.NOT_EQUAL, R4, EtherType.IPV6, NOT_IPV6);
            appendIpv6Destination(assembler);
            assembler.label(NOT_IPV6);
        }
        assembler.jumpIf(BpfCondition.NOT_EQUAL, R4, EtherType.IPV4, PASS);
    }

    /**
     * Redirects IPv6 to destinations that are neither multicast nor link-local nor local. R2, R3 = the frame's bounds,
     * R0 = the entry of the interface.
     */
    private void appendIpv6Destination(final BpfAssembler assembler)
    {
        final int destination = EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.DESTINATION_OFFSET;
        assembler
            .mov(R4, R2)
            .alu(BpfArithmetic.ADD, R4, EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH)
            .jumpIf(BpfCondition.ABOVE, R4, R3, PASS)
            .load(BpfSize.BYTE, R4, R0, InterfaceRecognition.FLAGS_OFFSET)
            .jumpIf(BpfCondition.ANY_BIT, R4, InterfaceRecognition.IPV6_LEFT | InterfaceRecognition.IPV6_FLOWS,
                NOT_ALL_IPV6)
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

    /**
     * Continues in the {@link FlowProgram} with frames of an interface that receives frames of flows only. Where there
     * is none, and of interfaces that receive nothing, the kernel receives the frames. R4 = the flags.
     */
    private void appendFlows(final BpfAssembler assembler, final PortFilter filter)
    {
        if (filter.ipv6())
        {
            assembler
                .label(NOT_ALL_IPV6)
                .jumpIf(BpfCondition.ANY_BIT, R4, InterfaceRecognition.IPV6_FLOWS, FLOWS)
                .jump(PASS);
        }
        assembler
            .label(NOT_ALL_IPV4)
            .jumpIf(BpfCondition.ANY_BIT, R4, InterfaceRecognition.IPV4_FLOWS, FLOWS)
            .jump(PASS)
            .label(FLOWS)
            .mov(R1, R6)
            .movMap(R2, flowPrograms)
            .mov(R3, 0)
            .call(BpfHelper.TAIL_CALL);
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

    /** Continues with destinations that are neither multicast, broadcast nor local; R0 = the entry of the interface. */
    private void appendDestination(final BpfAssembler assembler)
    {
        final int destination = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.DESTINATION_OFFSET;
        assembler
            .load(BpfSize.BYTE, R4, R0, InterfaceRecognition.FLAGS_OFFSET)
            .jumpIf(BpfCondition.ANY_BIT, R4, InterfaceRecognition.IPV4_LEFT | InterfaceRecognition.IPV4_FLOWS,
                NOT_ALL_IPV4)
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
