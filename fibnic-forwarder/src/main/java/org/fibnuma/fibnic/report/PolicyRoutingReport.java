package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.fibnic.rib.RoutingTables;

/** The rules of policy routing and the routing tables, as the answer to {@code show rules}. Control thread. */
public record PolicyRoutingReport(RoutingTables tables)
{
    /**
     * Returns the rules in the order in which they apply, and the tables that have routes.
     *
     * @return an object with the arrays {@code rules}, empty if all packets are routed by the main table, and
     *         {@code tables}.
     */
    public ObjectNode answer()
    {
        final ObjectNode answer = JsonNodeFactory.instance.objectNode();
        final ArrayNode rules = answer.putArray("rules");
        for (final KernelRule rule : tables.rules())
        {
            rules.addObject()
                .put("family", family(rule.isIpv6()))
                .put("rule", rule.text())
                .put("packets", tables.isLeft(rule) ? "kernel" : rule.isDefault() || rule.concernsForwarded() ?
                    "router" : "none");
        }
        final ArrayNode rows = answer.putArray("tables");
        putTables(rows, false);
        if (tables.forwardsIpv6())
        {
            putTables(rows, true);
        }
        return answer;
    }

    private void putTables(final ArrayNode rows, final boolean isIpv6)
    {
        putTable(rows, KernelRoute.TABLE_MAIN, isIpv6);
        for (final int table : tables.furtherTables(isIpv6))
        {
            putTable(rows, table, isIpv6);
        }
    }

    private void putTable(final ArrayNode rows, final int table, final boolean isIpv6)
    {
        rows.addObject()
            .put("table", Integer.toUnsignedLong(table))
            .put("family", family(isIpv6))
            .put("prefixes", tables.prefixCount(table, isIpv6))
            .put("fibRoutes", tables.fibOf(table, isIpv6).size())
            .put("fibBytes", tables.fibOf(table, isIpv6).bytes())
            .put("ribBytes", tables.ribBytes(table, isIpv6));
    }

    private static String family(final boolean isIpv6)
    {
        return isIpv6 ? "IPv6" : "IPv4";
    }
}
