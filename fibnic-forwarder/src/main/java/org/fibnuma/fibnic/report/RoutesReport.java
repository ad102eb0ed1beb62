package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RouteKey;
import org.fibnuma.fibnic.rib.RouteView;

import java.util.List;

/** The routes that count, a page at a time, and how large the tables are. */
public final class RoutesReport
{
    /** Routes in one answer at most: a few ms of the control thread. */
    public static final int MAX_PAGE = 2000;

    private RoutesReport()
    {
    }

    /**
     * Tells about some routes.
     *
     * @param state of the router.
     * @param after key of the last route already told, or {@link RouteKey#BEFORE_FIRST}.
     * @param limit how many, at most {@link #MAX_PAGE}.
     * @return an object with an array {@code routes} and, where there may be more, {@code next}: the key to go on
     * after.
     */
    public static ObjectNode of(final RouterState state, final long after, final int limit)
    {
        final int page = Math.min(limit, MAX_PAGE);
        final List<RouteView> views =
            page == 0 ? List.of() : state.tables().routesAfter(after, page);
        final Ipv4Fib fib = state.shared().fib();
        final ObjectNode answer = JsonNodeFactory.instance.objectNode()
            .put("prefixes", state.tables().prefixCount())
            .put("candidates", state.tables().routeCount())
            .put("fibRoutes", fib.size())
            .put("codeBits", fib.codeBits())
            .put("tableBytes", fib.tableBytes())
            .put("secondLevelBytes", fib.secondLevelBytes())
            .put("ribBytes", fib.ribBytes());
        final ArrayNode routes = answer.putArray("routes");
        for (final RouteView view : views)
        {
            routes.addObject()
                .put("prefix", RouteKey.format(view.key()))
                .put("kind", Labels.hyphenated(view.kind()))
                .put("via", view.gateway() == 0 ? null : Ipv4Address.format(view.gateway()))
                .put("port", egress(state, view.interfaceIndex()))
                .put("metric", Integer.toUnsignedLong(view.metric()))
                .put("source", view.source().label());
        }
        if (page > 0 && views.size() == page)
        {
            answer.put("next", views.get(page - 1).key());
        }
        return answer;
    }

    private static String egress(final RouterState state, final int interfaceIndex)
    {
        final LinkTable links = state.tables().links();
        final int port = links.portOf(interfaceIndex);
        final KernelLink link = links.get(interfaceIndex);
        return port != LinkTable.NO_PORT ? state.ports().get(port).name() :
            link != null ? link.name() + " (kernel)" : null;
    }
}
