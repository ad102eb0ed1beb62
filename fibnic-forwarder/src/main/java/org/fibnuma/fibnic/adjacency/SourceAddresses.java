package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The addresses of all interfaces of the host, also of those that are no ports. If the interface of an ICMP error has
 * no address, its source is selected from them, as in the kernel (Linux 6.1: in_dev_select_addr in net/ipv4/devinet.c,
 * ipv6_get_saddr_eval in net/ipv6/addrconf.c, which is RFC 6724 section 5). Immutable; any thread.
 */
public final class SourceAddresses
{
    static final SourceAddresses NONE = new SourceAddresses(List.of(), index -> index);

    private static final int LINK_SCOPE = 0x2;
    private static final int SITE_SCOPE = 0x5;
    private static final int GLOBAL_SCOPE = 0xE;
    /** More than any scope, so that every sufficient scope is better than every insufficient one. */
    private static final int INSUFFICIENT = 128;

    private static final int NOT_FOUND = -1;

    private final int[] ipv4;
    private final int[] ipv4Scopes;
    private final KernelAddress[] ipv6;
    private final int[] numbers;

    /**
     * Takes the addresses.
     *
     * @param addresses in the order of the interfaces, and those of an interface in the kernel's order.
     * @param numberOf  maps the index of an interface of the kernel to the number of the router's interface, or to any
     *                  other number if it is none.
     */
    public SourceAddresses(final List<KernelAddress> addresses, final IntUnaryOperator numberOf)
    {
        final List<KernelAddress> primary = addresses.stream()
            .filter(each -> each.address().isIpv4() && !each.secondary() && each.scope() != RouteOptions.SCOPE_LINK)
            .toList();
        ipv4 = primary.stream().mapToInt(each -> each.address().ipv4()).toArray();
        ipv4Scopes = primary.stream().mapToInt(KernelAddress::scope).toArray();
        ipv6 = addresses.stream().filter(each -> !each.address().isIpv4()).toArray(KernelAddress[]::new);
        numbers = addresses.stream().filter(each -> !each.address().isIpv4())
            .mapToInt(each -> numberOf.applyAsInt(each.interfaceIndex())).toArray();
    }

    /** Returns the addresses of the interfaces of a router; the number of an interface is its index in the list. */
    public static SourceAddresses ofInterfaces(final List<RouterInterface> interfaces)
    {
        final List<KernelAddress> addresses = new ArrayList<>();
        for (int number = 0; number < interfaces.size(); number++)
        {
            final int index = number;
            interfaces.get(number).addresses().forEach(
                address -> addresses.add(new KernelAddress(index, IpAddress.of(address), Integer.SIZE)));
            interfaces.get(number).ipv6Addresses().forEach(
                each -> addresses.add(new KernelAddress(index, each.address(), each.prefixLength())));
        }
        return new SourceAddresses(addresses, number -> number);
    }

    /**
     * Returns the first IPv4 address of any interface.
     *
     * @param scope of the route; an address with a higher scope, or with that of a link, is not returned.
     * @return {@link RouterInterface#NO_ADDRESS} if there is none.
     */
    int ipv4(final int scope)
    {
        for (int i = 0; i < ipv4.length; i++)
        {
            if (ipv4Scopes[i] <= scope)
            {
                return ipv4[i];
            }
        }
        return RouterInterface.NO_ADDRESS;
    }

    /**
     * Returns the best IPv6 address of any interface for messages to a destination.
     *
     * @param number of the interface whose addresses are preferred; towards a link-local destination only these are
     *               returned.
     * @param high   first half of the destination.
     * @param low    second half of the destination.
     * @return {@link IpAddress#NONE} if there is none.
     */
    IpAddress ipv6(final int number, final long high, final long low)
    {
        final int scope = scopeOf(high, low);
        int best = NOT_FOUND;
        for (int i = 0; i < ipv6.length; i++)
        {
            if ((scope > LINK_SCOPE || numbers[i] == number) &&
                (best == NOT_FOUND || isBetter(i, best, number, high, low)))
            {
                best = i;
            }
        }
        return best == NOT_FOUND ? IpAddress.NONE : ipv6[best].address();
    }

    /** The rules of RFC 6724 section 5 in their order; those about mobile hosts (4) do not apply. */
    private boolean isBetter(final int i, final int best, final int number, final long high, final long low)
    {
        final KernelAddress candidate = ipv6[i];
        final KernelAddress current = ipv6[best];
        int difference = Boolean.compare(is(candidate, high, low), is(current, high, low));
        difference = difference != 0 ? difference :
            suitability(candidate, scopeOf(high, low)) - suitability(current, scopeOf(high, low));
        difference = difference != 0 ? difference : Boolean.compare(current.deprecated(), candidate.deprecated());
        difference = difference != 0 ? difference : Boolean.compare(numbers[i] == number, numbers[best] == number);
        difference = difference != 0 ? difference :
            Boolean.compare(hasLabel(candidate, high, low), hasLabel(current, high, low));
        difference = difference != 0 ? difference : Boolean.compare(current.secondary(), candidate.secondary());
        difference = difference != 0 ? difference : commonBits(candidate, high, low) - commonBits(current, high, low);
        return difference > 0;
    }

    private static boolean is(final KernelAddress address, final long high, final long low)
    {
        return address.address().high() == high && address.address().low() == low;
    }

    /** The smaller scope is better if both suffice for the destination, otherwise the larger. */
    private static int suitability(final KernelAddress address, final int destinationScope)
    {
        final int scope = scopeOf(address.address().high(), address.address().low());
        return scope >= destinationScope ? -scope : scope - INSUFFICIENT;
    }

    /** A loopback address counts as link-local (RFC 6724 section 3.4). */
    private static int scopeOf(final long high, final long low)
    {
        return Ipv6Address.isLinkLocal(high) || Ipv6Address.isLoopback(high, low) ? LINK_SCOPE :
            high >>> 54 == 0xFEC0 >>> 6 ? SITE_SCOPE : GLOBAL_SCOPE;
    }

    private static boolean hasLabel(final KernelAddress address, final long high, final long low)
    {
        return labelOf(address.address().high(), address.address().low()) == labelOf(high, low);
    }

    /** The kernel's labels of RFC 6724 section 2.1 (ip6addrlbl_init_table), which an administrator may change. */
    private static int labelOf(final long high, final long low)
    {
        if (high == 0)
        {
            return low == 1 ? 0 : low >>> Integer.SIZE == 0 ? 3 : low >>> Integer.SIZE == 0xFFFF ? 4 : 1;
        }
        final int first = (int)(high >>> 48);
        return first == 0x2002 ? 2 : (first & 0xFE00) == 0xFC00 ? 5 : high >>> 32 == 0x2001_0000L ? 6 :
            high >>> 36 == 0x200_1001L ? 7 : first >>> 6 == 0xFEC0 >>> 6 ? 11 : first == 0x3FFE ? 12 : 1;
    }

    /** Returns the length of the common prefix, at most the prefix length of the address. */
    private static int commonBits(final KernelAddress address, final long high, final long low)
    {
        final int inHigh = Long.numberOfLeadingZeros(address.address().high() ^ high);
        final int common = inHigh < Long.SIZE ? inHigh :
            Long.SIZE + Long.numberOfLeadingZeros(address.address().low() ^ low);
        return Math.min(common, address.prefixLength());
    }
}
