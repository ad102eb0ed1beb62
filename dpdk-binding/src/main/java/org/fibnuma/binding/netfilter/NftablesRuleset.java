package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageHandler;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.AddressFamilies;
import org.fibnuma.core.kernel.HostRestriction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads the chains of nf_tables that forwarded packets pass, and classifies them. A chain is reported if its policy is
 * not accept, or if a rule in it or in a chain to which it jumps can drop or change a packet. One thread.
 */
final class NftablesRuleset
{
    private static final int REQUEST_CAPACITY = 1024;
    private static final Map<Integer, String> FAMILIES = Map.of(
        NftablesLayout.NFPROTO_INET, "inet", NftablesLayout.NFPROTO_IPV4, "ip",
        NftablesLayout.NFPROTO_NETDEV, "netdev", NftablesLayout.NFPROTO_IPV6, "ip6");
    private static final Map<Integer, String> HOOKS = Map.of(
        NftablesLayout.NF_INET_PRE_ROUTING, "prerouting", NftablesLayout.NF_INET_FORWARD, "forward",
        NftablesLayout.NF_INET_POST_ROUTING, "postrouting", NftablesLayout.NF_INET_INGRESS, "ingress");
    private static final Map<Integer, String> DEVICE_HOOKS = Map.of(
        NftablesLayout.NF_NETDEV_INGRESS, "ingress", NftablesLayout.NF_NETDEV_EGRESS, "egress");

    private final NetlinkExchange exchange;
    private final boolean ipv6;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight hook = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight devices = new NetlinkAttributeFlyweight();
    private final NftablesRule rule = new NftablesRule();
    private final NftablesWalk walk = new NftablesWalk(this::list);
    /** Family and name of a table that is left out; empty if none is. */
    private String ignored = "";
    private AddressFamilies offloaded = AddressFamilies.NONE;

    /**
     * Creates a reader.
     *
     * @param exchange of protocol {@link NetlinkLayout#NETLINK_NETFILTER}, closed by the caller.
     * @param ipv6     whether chains that only IPv6 packets pass are included.
     */
    NftablesRuleset(final NetlinkExchange exchange, final boolean ipv6)
    {
        this.exchange = exchange;
        this.ipv6 = ipv6;
    }

    /** Leaves out a table of family inet from now on. */
    void ignore(final String table)
    {
        ignored = place(NftablesLayout.NFPROTO_INET, table);
    }

    /**
     * Reads the chains.
     *
     * @param devicesByName index of each interface whose device chains are included.
     * @param carriers      the interfaces of all ports, see {@link #offloaded()}.
     * @return one restriction for each chain to report, in the kernel's order; none if the kernel has no nf_tables.
     * @throws UserException if the kernel refuses.
     */
    List<HostRestriction> restrictions(final Map<String, Integer> devicesByName, final Set<String> carriers)
    {
        final Set<String> dormant = new HashSet<>();
        offloaded = AddressFamilies.NONE;
        if (!list("tables", NftablesLayout.NFT_MSG_GETTABLE, 0, null, null, message -> addDormant(message, dormant)))
        {
            return List.of();
        }
        final Map<Integer, Set<String>> flowtables = new HashMap<>();
        list("flowtables", NftablesLayout.NFT_MSG_GETFLOWTABLE, 0, null, null,
            message -> addFlowtable(message, dormant, flowtables));
        offloaded = offloadedBy(flowtables, carriers);
        final List<Chain> chains = new ArrayList<>();
        list("chains", NftablesLayout.NFT_MSG_GETCHAIN, 0, null, null, message -> addChain(message, chains));
        final List<HostRestriction> restrictions = new ArrayList<>();
        walk.forget();
        for (final Chain chain : chains)
        {
            if (chain.seesForwarded(devicesByName.keySet(), ipv6) && !dormant.contains(chain.place()) &&
                !chain.place().equals(ignored))
            {
                final String reason = chain.policy != NftablesLayout.NF_ACCEPT ? ", policy drop" :
                    isHarmless(chain, chain.name, new HashMap<>()) ? null : "";
                if (reason != null)
                {
                    addRestrictions(chain, chain.restriction(reason, devicesByName), restrictions);
                }
            }
        }
        return restrictions;
    }

    private void addRestrictions(
        final Chain chain, final HostRestriction whole, final List<HostRestriction> restrictions)
    {
        if (chain.judgesPackets())
        {
            PacketFinding.restrictions(whole, "nft -a list chain " + chain.place() + " ", chain.name,
                (isIpv6, protocol) -> walk.find(chain, isIpv6, protocol))
                .forEach(restriction -> restrictions.add(restriction.exceptOffloaded(offloaded)));
        }
        else
        {
            restrictions.add(whole);
        }
    }

    /**
     * Returns the families of which the host puts connections into flowtables that take the packets received by any
     * port, as {@link #restrictions} has read them last.
     */
    AddressFamilies offloaded()
    {
        return offloaded;
    }

    /** Returns the families of whose flowtables, with their devices by family of their table, all carriers are. */
    static AddressFamilies offloadedBy(final Map<Integer, Set<String>> flowtables, final Set<String> carriers)
    {
        return new AddressFamilies(
            takesAll(flowtables, NftablesLayout.NFPROTO_IPV4, carriers),
            takesAll(flowtables, NftablesLayout.NFPROTO_IPV6, carriers));
    }

    private static boolean takesAll(
        final Map<Integer, Set<String>> flowtables, final int family, final Set<String> carriers)
    {
        final Set<String> devices = new HashSet<>(flowtables.getOrDefault(family, Set.of()));
        devices.addAll(flowtables.getOrDefault(NftablesLayout.NFPROTO_INET, Set.of()));
        return !devices.isEmpty() && devices.containsAll(carriers);
    }

    private boolean isHarmless(final Chain base, final String name, final Map<String, Boolean> visited)
    {
        if (visited.putIfAbsent(name, true) != null)
        {
            return true;
        }
        final Set<String> jumps = new HashSet<>();
        final boolean[] harmless = {true};
        list("rules", NftablesLayout.NFT_MSG_GETRULE, base.family, base.table, name, message ->
        {
            if (message.type() == NftablesLayout.NFT_MSG_NEWRULE && harmless[0])
            {
                harmless[0] = rule.isHarmless(message, jumps);
            }
        });
        return harmless[0] && jumps.stream().allMatch(chain -> isHarmless(base, chain, visited));
    }

    /**
     * Reads a list. The attributes with the names of table and chain, or of table and set, have the same numbers in
     * requests for rules, sets and elements. Returns false if this kernel has no nf_tables.
     */
    private boolean list(
        final String what, final int type, final int family, final String table, final String name,
        final NetlinkMessageHandler handler)
    {
        int attempts = 0;
        do
        {
            request.clear()
                .begin(type, NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(), NftablesLayout.LENGTH)
                .putByte(NftablesLayout.FAMILY_OFFSET, family);
            if (table != null)
            {
                request.addText(NftablesLayout.NFTA_RULE_TABLE, table);
            }
            if (name != null)
            {
                request.addText(NftablesLayout.NFTA_RULE_CHAIN, name);
            }
            final int errno = exchange.dump(request, handler);
            if (isWithoutNftables(errno) && table == null)
            {
                return false;
            }
            // ENOENT: a chain or set was removed after it was listed, and a notification follows.
            if (errno != 0 && !Errno.ENOENT.is(errno))
            {
                throw new UserException("netlink: cannot list the host's nftables " + what + ": " +
                    exchange.refusal() + "; therefore the rules that the router would bypass are unknown");
            }
            attempts++;
        }
        while (exchange.wasInterrupted() && attempts < NetlinkExchange.DUMP_ATTEMPTS);
        return true;
    }

    /** Returns whether an error is one of nfnetlink without nf_tables. */
    static boolean isWithoutNftables(final int errno)
    {
        return Errno.EINVAL.is(errno) || Errno.EOPNOTSUPP.is(errno) || Errno.EPROTONOSUPPORT.is(errno);
    }

    private void addDormant(final NetlinkMessageFlyweight message, final Set<String> dormant)
    {
        if (message.type() != NftablesLayout.NFT_MSG_NEWTABLE ||
            !message.wrapAttributes(attributes, NftablesLayout.LENGTH))
        {
            return;
        }
        String name = "";
        int flags = 0;
        while (attributes.next())
        {
            name = attributes.type() == NftablesLayout.NFTA_TABLE_NAME ? attributes.textValue() : name;
            flags = attributes.type() == NftablesLayout.NFTA_TABLE_FLAGS ? attributes.networkIntValue(0) : flags;
        }
        if ((flags & NftablesLayout.NFT_TABLE_F_DORMANT) != 0)
        {
            dormant.add(place(family(message), name));
        }
    }

    /** Adds the devices of a flowtable that rules use, to those of its family. */
    void addFlowtable(
        final NetlinkMessageFlyweight message,
        final Set<String> dormant,
        final Map<Integer, Set<String>> flowtables)
    {
        if (message.type() != NftablesLayout.NFT_MSG_NEWFLOWTABLE ||
            !message.wrapAttributes(attributes, NftablesLayout.LENGTH))
        {
            return;
        }
        String table = "";
        int uses = 0;
        final Set<String> on = new HashSet<>();
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case NftablesLayout.NFTA_FLOWTABLE_TABLE -> table = attributes.textValue();
                case NftablesLayout.NFTA_FLOWTABLE_USE -> uses = attributes.networkIntValue(0);
                case NftablesLayout.NFTA_FLOWTABLE_HOOK ->
                {
                    if (hook.wrapNested(attributes).find(NftablesLayout.NFTA_FLOWTABLE_HOOK_DEVS))
                    {
                        readDevices(on);
                    }
                }
                default ->
                {
                }
            }
        }
        if (uses > 0 && !dormant.contains(place(family(message), table)))
        {
            flowtables.computeIfAbsent(family(message), family -> new HashSet<>()).addAll(on);
        }
    }

    private void addChain(final NetlinkMessageFlyweight message, final List<Chain> chains)
    {
        if (message.type() == NftablesLayout.NFT_MSG_NEWCHAIN)
        {
            final Chain chain = chain(message);
            if (chain != null)
            {
                chains.add(chain);
            }
        }
    }

    /** Decodes an NFT_MSG_NEWCHAIN. Returns null for a chain without a hook, to which only other chains jump. */
    Chain chain(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, NftablesLayout.LENGTH))
        {
            return null;
        }
        String table = "";
        String name = "";
        String type = "";
        int policy = NftablesLayout.NF_ACCEPT;
        int hookNumber = -1;
        final Set<String> on = new HashSet<>();
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case NftablesLayout.NFTA_CHAIN_TABLE -> table = attributes.textValue();
                case NftablesLayout.NFTA_CHAIN_NAME -> name = attributes.textValue();
                case NftablesLayout.NFTA_CHAIN_TYPE -> type = attributes.textValue();
                case NftablesLayout.NFTA_CHAIN_POLICY -> policy = attributes.networkIntValue(policy);
                case NftablesLayout.NFTA_CHAIN_HOOK -> hookNumber = readHook(on);
                default ->
                {
                }
            }
        }
        return hookNumber < 0 ? null : new Chain(family(message), table, name, type, hookNumber, policy, on);
    }

    private int readHook(final Set<String> on)
    {
        int number = -1;
        hook.wrapNested(attributes);
        while (hook.next())
        {
            switch (hook.type())
            {
                case NftablesLayout.NFTA_HOOK_HOOKNUM -> number = hook.networkIntValue(-1);
                case NftablesLayout.NFTA_HOOK_DEV -> on.add(hook.textValue());
                case NftablesLayout.NFTA_HOOK_DEVS -> readDevices(on);
                default ->
                {
                }
            }
        }
        return number;
    }

    private void readDevices(final Set<String> on)
    {
        devices.wrapNested(hook);
        while (devices.next())
        {
            on.add(devices.textValue());
        }
    }

    private static int family(final NetlinkMessageFlyweight message)
    {
        return message.buffer().getByte(message.payloadOffset() + NftablesLayout.FAMILY_OFFSET);
    }

    private static String place(final int family, final String table)
    {
        return FAMILIES.getOrDefault(family, Integer.toString(family)) + " " + table;
    }

    record Chain(
        int family, String table, String name, String type, int hook, int policy, Set<String> devices)
    {
        /** Type of the chains that only the first packet of a connection passes. */
        private static final String NAT = "nat";

        /**
         * Returns whether packets forwarded through one of the interfaces pass this chain; IPv6 packets count only if
         * {@code ipv6} is true.
         */
        boolean seesForwarded(final Set<String> deviceNames, final boolean ipv6)
        {
            if (isOfDevices())
            {
                return FAMILIES.containsKey(family) && devices.stream().anyMatch(deviceNames::contains);
            }
            return (family == NftablesLayout.NFPROTO_INET || family == NftablesLayout.NFPROTO_IPV4 ||
                ipv6 && family == NftablesLayout.NFPROTO_IPV6) && HOOKS.containsKey(hook);
        }

        String place()
        {
            return NftablesRuleset.place(family, table);
        }

        /** Returns whether the later packets of a connection pass this chain, and its rules decide what they do. */
        boolean judgesPackets()
        {
            return !isOfDevices() && !type.equals(NAT);
        }

        /**
         * Returns the restriction that this chain is.
         *
         * @param reason        behind the name of the hook, may be empty.
         * @param devicesByName index of each interface whose device chains are included.
         */
        HostRestriction restriction(final String reason, final Map<String, Integer> devicesByName)
        {
            final String hookName =
                (family == NftablesLayout.NFPROTO_NETDEV ? DEVICE_HOOKS : HOOKS).getOrDefault(hook, "hook " + hook);
            // Connection tracking comes after the chains of devices, which therefore see single packets.
            return new HostRestriction(
                isOfDevices() ? HostRestriction.Kind.NETFILTER_PACKET : HostRestriction.Kind.NETFILTER,
                "nftables table " + place() + ", chain " + name + " (hook " + hookName + reason + ")",
                "nft list chain " + place() + " " + name, scope(devicesByName));
        }

        private HostRestriction.Scope scope(final Map<String, Integer> devicesByName)
        {
            if (!isOfDevices())
            {
                return family == NftablesLayout.NFPROTO_INET ? HostRestriction.Scope.ALL :
                    HostRestriction.Scope.family(family == NftablesLayout.NFPROTO_IPV6);
            }
            final List<Integer> indexes =
                devices.stream().map(devicesByName::get).filter(Objects::nonNull).toList();
            final boolean isEgress = family == NftablesLayout.NFPROTO_NETDEV &&
                hook == NftablesLayout.NF_NETDEV_EGRESS;
            return indexes.size() != 1 ? HostRestriction.Scope.ALL :
                isEgress ? HostRestriction.Scope.device(indexes.get(0)) :
                HostRestriction.Scope.received(indexes.get(0));
        }

        private boolean isOfDevices()
        {
            return family == NftablesLayout.NFPROTO_NETDEV || hook == NftablesLayout.NF_INET_INGRESS;
        }
    }
}
