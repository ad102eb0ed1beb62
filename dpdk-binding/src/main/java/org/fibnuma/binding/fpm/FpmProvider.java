package org.fibnuma.binding.fpm;

import org.fibnuma.core.kernel.RouteFeed;
import org.fibnuma.core.kernel.RouteFeedProvider;

import java.net.InetSocketAddress;

/** Routes of FRR's zebra by its module {@code dplane_fpm_nl}. */
public final class FpmProvider implements RouteFeedProvider
{
    @Override
    public RouteFeed listen(final InetSocketAddress address)
    {
        return FpmServer.listen(address);
    }
}
