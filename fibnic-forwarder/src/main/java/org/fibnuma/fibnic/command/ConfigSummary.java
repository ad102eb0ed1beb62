package org.fibnuma.fibnic.command;

import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;

import java.util.ArrayList;
import java.util.List;

/** Describes the router of a configuration in lines, for {@code router --check}. No device is opened. */
final class ConfigSummary
{
    private ConfigSummary()
    {
    }

    static List<String> of(final RouterConfig config)
    {
        final List<String> lines = new ArrayList<>();
        final int workers = config.workers().count();
        lines.add("router " + config.name() + ": control " + config.control().mode().key() + ", workers " + workers +
            ", cores " + (config.workers().cores().isEmpty() ? "none" : config.workers().cores()) +
            ", ipv6 " + config.forwarding().ipv6() + ", pfc " + (config.isLossless() ? "on" : "off") +
            ", spare-ports " + config.sparePlaces());
        for (final PortConfig port : config.ports())
        {
            lines.add("port " + port.name() + ": device " + port.device() + ", queues " + queues(port, workers) +
                mode(port, config) + ", exception " + orNone(port.exception()) +
                ", acl-in " + orNone(port.aclIn()) + ", acl-out " + orNone(port.aclOut()));
        }
        config.acls().forEach(list -> lines.add("acl " + list.name() + ": rules " + list.rules().size() +
            ", default " + list.defaultAction().key()));
        return lines;
    }

    private static String queues(final PortConfig port, final int workers)
    {
        return workers + (port.setsQueues() ? " (set on the interface)" : "");
    }

    private static String mode(final PortConfig port, final RouterConfig config)
    {
        if (!port.isXdp())
        {
            return "";
        }
        return ", mode " + (config.rings().allowZeroCopy() ? "zero-copy if the driver has it, else copy" : "copy");
    }

    private static String orNone(final String value)
    {
        return value == null ? "none" : value;
    }
}
