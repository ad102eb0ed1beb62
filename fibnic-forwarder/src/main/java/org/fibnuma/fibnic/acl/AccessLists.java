package org.fibnuma.fibnic.acl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The access lists of all ports at one time. Immutable except for the counters. */
public final class AccessLists
{
    /** No port has a list. */
    public static final AccessLists NONE = new AccessLists(List.of(), List.of(), List.of(), 1);

    private final List<ActiveList> lists = new ArrayList<>();
    private final ActiveList[] ingress;
    private final ActiveList[] egress;
    /** One bit for each port with a list for frames that leave by it. */
    private final long egressPorts;

    /**
     * Computes the tables of some lists.
     *
     * @param lists   in the order of the configuration.
     * @param ingress name of the list for frames that a port receives, by port index; null for none.
     * @param egress  name of the list for frames that leave by a port, by port index; null for none.
     * @param workers number of workers.
     */
    public AccessLists(
        final List<AccessList> lists, final List<String> ingress, final List<String> egress, final int workers)
    {
        this(null, lists, ingress, egress, workers);
    }

    /**
     * Computes the tables of lists that are to replace others. A replaced list stays in use, with its tables and
     * counters, if the list with its name has the same rules and default action. Otherwise the new list continues the
     * counters of the rules that both have. All other counters begin at 0.
     *
     * @param replaced in force before, for as many workers; null for none.
     */
    public AccessLists(
        final AccessLists replaced,
        final List<AccessList> lists,
        final List<String> ingress,
        final List<String> egress,
        final int workers)
    {
        final Map<String, ActiveList> byName = new HashMap<>();
        for (final AccessList list : lists)
        {
            final ActiveList before = replaced == null ? null : replaced.named(list.name());
            final ActiveList active = before != null && before.list().judgesAs(list) ?
                before : new ActiveList(list, workers, before);
            byName.put(list.name(), active);
            this.lists.add(active);
        }
        this.ingress = ingress.stream().map(byName::get).toArray(ActiveList[]::new);
        this.egress = egress.stream().map(byName::get).toArray(ActiveList[]::new);
        long ports = 0;
        for (int port = 0; port < this.egress.length; port++)
        {
            ports |= this.egress[port] == null ? 0 : 1L << port;
        }
        egressPorts = ports;
    }

    /** Returns all lists in the order of the configuration. */
    public List<ActiveList> lists()
    {
        return List.copyOf(lists);
    }

    private ActiveList named(final String name)
    {
        return lists.stream().filter(active -> active.list().name().equals(name)).findFirst().orElse(null);
    }

    /** Ends the use of the lists that these have replaced. No worker may judge by them any more; one thread. */
    public void settle()
    {
        lists.forEach(ActiveList::settle);
    }

    /** Returns the list for frames that a port receives, null if there is none. */
    public ActiveList ingress(final int port)
    {
        return port < ingress.length ? ingress[port] : null;
    }

    /** Returns the list for frames that leave by a port, null if there is none. */
    public ActiveList egress(final int port)
    {
        return port < egress.length ? egress[port] : null;
    }

    /** Returns the ports with a list for frames that leave, one bit for each by the index of the port. */
    public long egressPorts()
    {
        return egressPorts;
    }
}
