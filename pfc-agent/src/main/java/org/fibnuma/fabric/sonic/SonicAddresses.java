package org.fibnuma.fabric.sonic;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.export.Addressing;
import org.fibnuma.fabric.topology.Fabric;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The addresses in the configurations of a site: subnets of hosts, and interfaces between switches. */
public final class SonicAddresses implements Addressing
{
    private final SonicSite site;
    private final Fabric fabric;

    /**
     * Checks that a route can be made for each server.
     *
     * @throws UserException with one line, if an interface towards hosts has no address, or a subnet is connected to
     *                       two interfaces.
     */
    public SonicAddresses(final SonicSite site)
    {
        this.site = site;
        this.fabric = site.fabric();
        final Map<IpPrefix, SonicSite.HostInterface> owners = new HashMap<>();
        for (final SonicSite.HostInterface host : site.hosts())
        {
            final ConfigDatabase database = site.switches().get(host.node()).database();
            if (host.subnets().isEmpty())
            {
                throw database.fault("INTERFACE", host.interfaceName(),
                    "has hosts and no address, so there is no route to them; add one");
            }
            for (final IpPrefix subnet : host.subnets())
            {
                final SonicSite.HostInterface other = owners.put(subnet, host);
                if (other != null)
                {
                    throw database.fault("INTERFACE", host.interfaceName(),
                        "subnet " + subnet + " is connected to " + fabric.switchName(other.node()) + " " +
                        other.interfaceName() + " too; a plan needs one switch for each subnet");
                }
            }
        }
    }

    @Override
    public List<IpPrefix> prefixes(final int server)
    {
        return site.hosts().get(server).subnets();
    }

    @Override
    public IpAddress port(final int channel, final boolean isIpv6)
    {
        final SonicSwitch.Address address =
            site.switches().get(fabric.source(channel)).address(fabric.portName(channel), isIpv6);
        return address == null ? null : address.address();
    }
}
