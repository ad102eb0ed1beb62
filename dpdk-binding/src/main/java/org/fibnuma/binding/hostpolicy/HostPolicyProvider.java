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
    public KernelPolicy open(final boolean packetFilters)
    {
        return HostPolicyReader.open(packetFilters);
    }
}
