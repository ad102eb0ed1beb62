package org.fibnuma.fibnic.config;

import org.fibnuma.core.port.Ports;
import org.fibnuma.core.service.config.ConfigName;
import org.fibnuma.fibnic.acl.AccessList;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A port that a command adds to a running router.
 *
 * @param name       of the port.
 * @param device     such as {@code xdp:eth1}; null for the interface that has the name of the port.
 * @param aclIn      name of the access list for frames that the port receives; null for none.
 * @param aclOut     name of the access list for frames that leave by the port; null for none.
 * @param setsQueues whether the port sets the number of its device's queues to that of the workers.
 * @param vlanPcp    priority code point of frames that leave by VLAN interfaces on the port.
 */
public record AddedPort(
    String name, String device, String aclIn, String aclOut, boolean setsQueues, int vlanPcp)
{
    /** Returns whether only a name was given. Then a removed or configured port is added with its own settings. */
    public boolean isNameOnly()
    {
        return device == null && aclIn == null && aclOut == null && !setsQueues && vlanPcp == 0;
    }

    /**
     * Returns the settings of the port as if they were in the file.
     *
     * @param config of the router.
     * @return the settings.
     * @throws IllegalArgumentException with one line for the user if a setting is not valid.
     * @throws org.fibnuma.core.UserException with one line for the user if there is no such kind of port.
     */
    public PortConfig config(final RouterConfig config)
    {
        ConfigName.parse(name);
        final String wanted = device == null ? PortConfig.XDP + name : device;
        if (!wanted.startsWith(PortConfig.XDP))
        {
            throw new IllegalArgumentException("port " + name + " (" + wanted + "): cannot be added while the router " +
                "runs, because " + Ports.whyFixed(name, wanted) + "; add a [[port]] to its file and restart it");
        }
        if (!config.takesNewPorts())
        {
            throw new IllegalArgumentException("port " + name + " (" + wanted + "): this router takes no new ports " +
                "while it runs, because it has control = \"static\", [pfc], or no xdp: port; add a [[port]] to its " +
                "file and restart it");
        }
        if (vlanPcp < 0 || vlanPcp > VlanReader.MAX_PCP)
        {
            throw new IllegalArgumentException(
                "port " + name + ": vlan-pcp " + vlanPcp + " is not 0 to " + VlanReader.MAX_PCP);
        }
        requireList(config.acls(), aclIn);
        requireList(config.acls(), aclOut);
        return new PortConfig(name, wanted, List.of(), 0, 0, null, setsQueues, aclIn, aclOut, List.of(), vlanPcp, 0);
    }

    private void requireList(final List<AccessList> lists, final String list)
    {
        if (list != null && lists.stream().noneMatch(known -> known.name().equals(list)))
        {
            throw new IllegalArgumentException("port " + name + ": the router has no access list \"" + list + "\"; " +
                (lists.isEmpty() ? "add an [[acl]] to its file and reload it" : "it has " +
                lists.stream().map(AccessList::name).collect(Collectors.joining(", "))));
        }
    }
}
