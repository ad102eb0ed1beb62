package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The routes that a routing daemon hands over by FPM, in the RIBs of {@link RoutingTables}. They stay when the daemon's
 * connection ends; {@link #sweep()} removes those that the next connection has not handed over again. Control thread
 * only.
 */
public final class HandedRoutes
{
    /** Most rows of a RIB that are read in one slice, in far less than 1 ms unless routes change. */
    private static final int SLICE_ROWS = 16_384;
    /** Most routes that change in one slice, in about 1 ms. */
    private static final int SLICE_CHANGES = 1024;

    private final RoutingTables tables;
    private final int[][] nextHopIds = new int[2][0];
    private final Map<Integer, NextHop.Key> changedNextHops = new LinkedHashMap<>();
    private int nextRow;
    private boolean isNextIpv6;
    private long swept;

    HandedRoutes(final RoutingTables tables)
    {
        this.tables = tables;
    }

    /** Makes all routes stale. Those that {@link #onRoute} reports before {@link #sweep()} stay in the FIB. */
    public void onConnect()
    {
        changedNextHops.clear();
        swept = 0;
        tables.programmer(false).handedSweep().nextGeneration();
        tables.programmer(true).handedSweep().nextGeneration();
    }

    /**
     * Adds, replaces or removes a route.
     *
     * @param route     of the main table.
     * @param nextHopId number of its next-hop object, or 0.
     * @param present   false to remove it.
     * @return whether the route was stale before.
     */
    public boolean onRoute(final KernelRouteView route, final int nextHopId, final boolean present)
    {
        if (tables.isIgnored(route.isIpv6()))
        {
            return false;
        }
        final FibProgrammer programmer = tables.programmer(route.isIpv6());
        final IpPrefix prefix = RouteTranslation.prefixOf(route);
        final int before = programmer.rib().find(prefix, RouteSource.FPM, route.metric());
        final boolean wasStale = before != Rib.NONE && programmer.rib().isStale(before);
        if (!present)
        {
            programmer.remove(prefix, RouteSource.FPM, route.metric());
            return wasStale;
        }
        programmer.add(prefix, RouteSource.FPM, route.metric(), tables.translation().nextHopOf(route));
        final int row = before != Rib.NONE ? before :
            programmer.rib().find(prefix, RouteSource.FPM, route.metric());
        nextHopId(route.isIpv6(), row, nextHopId);
        return wasStale;
    }

    /**
     * Changes all routes of a next-hop object, a part with each {@link #poll()}.
     *
     * @param nextHopId number of the object, not 0.
     * @param nextHop   with the new kind, gateway and interface.
     */
    public void onNextHop(final int nextHopId, final KernelRouteView nextHop)
    {
        changedNextHops.put(nextHopId, tables.translation().nextHopOf(nextHop));
        nextRow = 0;
        isNextIpv6 = false;
    }

    /** Changes some of the routes whose next-hop object has changed; returns false if there are none. */
    public boolean poll()
    {
        if (changedNextHops.isEmpty())
        {
            return false;
        }
        final FibProgrammer programmer = tables.programmer(isNextIpv6);
        final Rib rib = programmer.rib();
        final int end = Math.min(rib.rowLimit(), nextRow + SLICE_ROWS);
        for (int changes = 0; nextRow < end && changes < SLICE_CHANGES; nextRow++)
        {
            final NextHop.Key key = isCurrent(rib, nextRow) ?
                changedNextHops.get(nextHopIds[isNextIpv6 ? 1 : 0][nextRow]) : null;
            if (key != null)
            {
                programmer.add(rib.prefix(nextRow), RouteSource.FPM, rib.metric(nextRow),
                    key.with(tables.nextHops().get(rib.nextHop(nextRow)).key().options()));
                changes++;
            }
        }
        if (nextRow >= rib.rowLimit())
        {
            nextRow = 0;
            if (isNextIpv6)
            {
                changedNextHops.clear();
            }
            isNextIpv6 = !isNextIpv6;
        }
        return true;
    }

    /** Removes some of the stale routes; returns true when none is left. */
    public boolean sweep()
    {
        final long before = count();
        final boolean done = tables.programmer(false).handedSweep().slice() &&
            tables.programmer(true).handedSweep().slice();
        swept += before - count();
        return done;
    }

    /** Returns the number of routes that {@link #sweep()} has removed since {@link #onConnect()}. */
    public long swept()
    {
        return swept;
    }

    /**
     * Returns some of the routes of a family.
     *
     * @param isIpv6 the family.
     * @param from   first row of the RIB to read, 0 or the end of the previous call.
     * @param rows   number of rows to read.
     * @return the routes of these rows, or null behind the last row.
     */
    public List<KernelRoute> routes(final boolean isIpv6, final int from, final int rows)
    {
        final Rib rib = tables.programmer(isIpv6).rib();
        if (from >= rib.rowLimit())
        {
            return null;
        }
        final List<KernelRoute> routes = new ArrayList<>();
        for (int row = from; row < Math.min(from + rows, rib.rowLimit()); row++)
        {
            if (isHanded(rib, row))
            {
                final IpPrefix prefix = rib.prefix(row);
                final NextHop.Key key = tables.nextHops().get(rib.nextHop(row)).key();
                routes.add(new KernelRoute(isIpv6, new IpAddress(prefix.high(), prefix.low()), prefix.length(),
                    KernelRoute.TABLE_MAIN, rib.metric(row), key.kind(), key.gateway(), key.interfaceIndex(),
                    key.multipath(), key.options()));
            }
        }
        return routes;
    }

    private long count()
    {
        return tables.routeCount(false) + tables.routeCount(true);
    }

    private static boolean isHanded(final Rib rib, final int row)
    {
        return !rib.isFree(row) && rib.source(row) == RouteSource.FPM;
    }

    /** A stale route has the number that its next-hop object had in an earlier connection. */
    private static boolean isCurrent(final Rib rib, final int row)
    {
        return isHanded(rib, row) && !rib.isStale(row);
    }

    private void nextHopId(final boolean isIpv6, final int row, final int nextHopId)
    {
        final int family = isIpv6 ? 1 : 0;
        if (row >= nextHopIds[family].length)
        {
            nextHopIds[family] = Arrays.copyOf(nextHopIds[family], Math.max(SLICE_ROWS, 2 * row));
        }
        nextHopIds[family][row] = nextHopId;
    }
}
