package org.fibnuma.binding.hostpolicy;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.rtnetlink.LinkLayout;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.wire.MacAddress;

import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The master, upper interfaces and XDP program of every link of the host. One thread. */
public final class LinkMembership
{
    private static final int REQUEST_CAPACITY = 64;
    private static final String VRF = "vrf";
    private static final String VLAN = "vlan";
    /** Kinds of interfaces with their own address, whose packets the kernel processes unless {@link #isOfRouter}. */
    private static final Set<String> UPPER_KINDS = Set.of(
        LinkLayout.KIND_MACVLAN, "macvtap", "macsec", "ipvlan", "ipvtap");

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight nested = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight properties = new NetlinkAttributeFlyweight();
    private final Int2ObjectHashMap<Member> members = new Int2ObjectHashMap<>();

    /**
     * A link: its name and kind, the mode of a macvlan or macvtap interface, the index of the link below it or 0, the
     * index and kind of its master, the id of its XDP program or 0, and its MAC address.
     */
    private record Member(
        String name, String kind, int mode, int lower, int master, String masterKind, int xdpProgram, long macAddress)
    {
    }

    /** Reads all links again, by an exchange over rtnetlink. Returns 0, or the error number if the kernel refuses. */
    public int read(final NetlinkExchange exchange)
    {
        members.clear();
        return exchange.dump(
            new NetlinkRequest(REQUEST_CAPACITY)
                .begin(LinkLayout.RTM_GETLINK, NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(), LinkLayout.LENGTH)
                .addInt(LinkLayout.IFLA_EXT_MASK, LinkLayout.RTEXT_FILTER_SKIP_STATS),
            this::onLink);
    }

    /** Handles a message of type RTM_NEWLINK. */
    void onLink(final NetlinkMessageFlyweight message)
    {
        if (message.type() != LinkLayout.RTM_NEWLINK || !message.wrapAttributes(attributes, LinkLayout.LENGTH))
        {
            return;
        }
        String name = "";
        String kind = "";
        String masterKind = "";
        int mode = 0;
        int lower = 0;
        int master = 0;
        int program = 0;
        long macAddress = 0;
        boolean isLowerElsewhere = false;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case LinkLayout.IFLA_IFNAME -> name = attributes.textValue();
                case LinkLayout.IFLA_ADDRESS -> macAddress = attributes.macValue();
                case LinkLayout.IFLA_LINK -> lower = attributes.intValue(0);
                case LinkLayout.IFLA_LINK_NETNSID -> isLowerElsewhere = true;
                case LinkLayout.IFLA_MASTER -> master = attributes.intValue(0);
                case LinkPolicyLayout.IFLA_LINKINFO ->
                {
                    kind = kindOf(LinkLayout.IFLA_INFO_KIND);
                    mode = kind.startsWith("macv") ? macvlanMode() : 0;
                    masterKind = kindOf(LinkPolicyLayout.IFLA_INFO_SLAVE_KIND);
                }
                case LinkLayout.IFLA_XDP -> program = xdpProgram();
                default ->
                {
                }
            }
        }
        members.put(
            message.buffer().getInt(message.payloadOffset() + LinkLayout.INDEX_OFFSET),
            new Member(name, kind, mode, isLowerElsewhere ? 0 : lower, master, masterKind, program, macAddress));
    }

    private String kindOf(final int type)
    {
        return nested.wrapNested(attributes).find(type) ? nested.textValue() : "";
    }

    private int macvlanMode()
    {
        return nested.wrapNested(attributes).find(LinkLayout.IFLA_INFO_DATA) &&
            properties.wrapNested(nested).find(LinkLayout.IFLA_MACVLAN_MODE) ? properties.intValue(0) : 0;
    }

    private int xdpProgram()
    {
        int id = 0;
        nested.wrapNested(attributes);
        while (nested.next())
        {
            final int type = nested.type();
            if (type >= LinkPolicyLayout.IFLA_XDP_PROG_ID && type <= LinkPolicyLayout.IFLA_XDP_HW_PROG_ID)
            {
                id = nested.intValue(id);
            }
        }
        return id;
    }

    /** Returns the name of a link, or its index as text if there is no such link. */
    public String name(final int interfaceIndex)
    {
        final Member member = members.get(interfaceIndex);
        return member == null ? Integer.toString(interfaceIndex) : member.name;
    }

    /** Returns the name of the link on which a VLAN interface is, also through others, or else of the link itself. */
    String withoutVlans(final int interfaceIndex)
    {
        final Member member = members.get(interfaceIndex);
        return member != null && VLAN.equals(member.kind) && members.containsKey(member.lower) ?
            withoutVlans(member.lower) : name(interfaceIndex);
    }

    /** Returns the kernel's id of the XDP program on a link, 0 if there is none. */
    public int xdpProgram(final int interfaceIndex)
    {
        final Member member = members.get(interfaceIndex);
        return member == null ? 0 : member.xdpProgram;
    }

    /** Adds a restriction for the VRF of a link. */
    void addVrf(final List<HostRestriction> restrictions, final int interfaceIndex)
    {
        final Member member = members.get(interfaceIndex);
        if (member != null && VRF.equals(member.masterKind))
        {
            restrictions.add(member(HostRestriction.Kind.VRF, "VRF", member, interfaceIndex));
        }
    }

    /**
     * Adds a restriction for the bridge or other master of a link, and for each interface of {@link #UPPER_KINDS} above
     * it that the router does not have.
     */
    void addOthers(final List<HostRestriction> restrictions, final int interfaceIndex)
    {
        final Member member = members.get(interfaceIndex);
        if (member == null)
        {
            return;
        }
        if (member.master != 0 && !VRF.equals(member.masterKind))
        {
            restrictions.add(member(HostRestriction.Kind.MASTER,
                member.masterKind.isEmpty() ? "master interface" : member.masterKind, member, interfaceIndex));
        }
        members.values().stream()
            .filter(upper ->
                upper.lower == interfaceIndex && UPPER_KINDS.contains(upper.kind) && !isOfRouter(upper))
            .sorted(Comparator.comparing(Member::name)).forEach(upper -> restrictions.add(new HostRestriction(
            HostRestriction.Kind.UPPER_INTERFACE,
            upper.kind + " " + upper.name + " on " + member.name + packetsOf(upper, member),
            "ip -d link show " + upper.name,
            upper.kind.startsWith("ip") || upper.mode == LinkLayout.MACVLAN_MODE_PASSTHRU ||
                upper.mode == LinkLayout.MACVLAN_MODE_SOURCE ?
                HostRestriction.Scope.received(interfaceIndex) : HostRestriction.Scope.NONE)));
    }

    private HostRestriction member(
        final HostRestriction.Kind kind, final String master, final Member member, final int interfaceIndex)
    {
        return new HostRestriction(kind, member.name + " is in the " + master + " " + name(member.master),
            "ip -d link show " + member.name, HostRestriction.Scope.device(interfaceIndex));
    }

    /** Returns whether a link is a macvlan interface by which the router receives and sends. */
    private static boolean isOfRouter(final Member link)
    {
        return link.master == 0 && LinkLayout.KIND_MACVLAN.equals(link.kind) &&
            (link.mode == LinkLayout.MACVLAN_MODE_PRIVATE || link.mode == LinkLayout.MACVLAN_MODE_VEPA);
    }

    private static String packetsOf(final Member upper, final Member lower)
    {
        final boolean isMacvlan = LinkLayout.KIND_MACVLAN.equals(upper.kind);
        return upper.mode == LinkLayout.MACVLAN_MODE_PASSTHRU ? ", which has all its frames" :
            upper.mode == LinkLayout.MACVLAN_MODE_SOURCE ? ", which has the frames of some senders" :
            isMacvlan && upper.master == 0 && upper.mode == LinkLayout.MACVLAN_MODE_BRIDGE ?
            ", a bridge by which the kernel sends" :
            upper.kind.startsWith("ip") ? ", which shares its MAC address" :
            upper.kind.startsWith("macv") && upper.macAddress != lower.macAddress ?
            ", which has the frames to " + MacAddress.format(upper.macAddress) : "";
    }
}
