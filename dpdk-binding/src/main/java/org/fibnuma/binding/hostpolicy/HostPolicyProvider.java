package org.fibnuma.binding.hostpolicy;

import org.fibnuma.core.kernel.KernelPolicy;
import org.fibnuma.core.kernel.KernelPolicyProvider;

/** Opens conversations over netlink. With packet filters it needs CAP_NET_ADMIN. */
public final class HostPolicyProvider implements KernelPolicyProvider
{
    /** For {@link java.util.ServiceLoader}. */
    public HostPolicyProvider()
    {
    }

    @Override
    public KernelPolicy open(final boolean packetFilters)
    {
        return HostPolicyReader.open(packetFilters);
    }
}
