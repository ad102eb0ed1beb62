package org.fibnuma.fibnic.control;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableException;
import org.fibnuma.fibnic.routes.RouteTableReader;

import java.nio.file.Path;

/** The routes that a router has beside the kernel's or its static ones, read from the file each time. */
final class RoutesFile
{
    private final Path file;

    /** The file may be null: no routes. */
    RoutesFile(final Path file)
    {
        this.file = file;
    }

    /**
     * Reads all routes. Where the file names a prefix twice, the last one counts.
     *
     * @return how many.
     * @throws RouterException with one line for the user where it is not a table of routes.
     */
    int forEach(final Consumer consumer)
    {
        if (file == null)
        {
            return 0;
        }
        final RouteList routes = read();
        for (int i = 0; i < routes.size(); i++)
        {
            if (routes.nextHop(i) == RouteList.NO_NEXT_HOP)
            {
                throw new RouterException("routes-file " + file + ": " +
                    Ipv4Address.format(routes.prefix(i)) + "/" + routes.length(i) +
                    " has no next hop; write one behind each prefix");
            }
            consumer.onRoute(routes.prefix(i), routes.length(i), routes.nextHop(i));
        }
        return routes.size();
    }

    private RouteList read()
    {
        try
        {
            return RouteTableReader.ofAllPeers().read(file);
        }
        catch (final RouteTableException ex)
        {
            throw new RouterException("routes-file " + ex.getMessage(), ex);
        }
    }

    /** Takes routes one by one. */
    @FunctionalInterface
    interface Consumer
    {
        void onRoute(int prefix, int length, int gateway);
    }
}
