package org.fibnuma.binding.hostpolicy;

import org.fibnuma.core.kernel.KernelPolicy;
import org.fibnuma.core.kernel.KernelPolicyProvider;

/** Opens host policies over netlink. With packet filters CAP_NET_ADMIN is needed. */
public final class HostPolicyProvider implements KernelPolicyProvider
{
    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public HostPolicyProvider()
    {
    }

    @Override
    public KernelPolicy open(final boolean packetFilters, final boolean ipv6)
    {
        return HostPolicyReader.open(packetFilters, ipv6);
    }
}
