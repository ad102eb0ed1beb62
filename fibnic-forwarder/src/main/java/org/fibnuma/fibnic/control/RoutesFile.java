package org.fibnuma.fibnic.control;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableReader;

import java.nio.file.Path;

/** The routes of a router in addition to the kernel's or its static ones, read from the file each time. */
final class RoutesFile
{
    private final Path file;

    /** Reads routes from a file; null stands for no routes. */
    RoutesFile(final Path file)
    {
        this.file = file;
    }

    /**
     * Reads all routes. If the file has a prefix twice, the last one counts.
     *
     * @throws UserException with one line for the user where the file is not a table of routes.
     */
    void forEach(final Consumer consumer)
    {
        if (file == null)
        {
            return;
        }
        final RouteList routes = read();
        for (int i = 0; i < routes.size(); i++)
        {
            if (routes.nextHop(i) == RouteList.NO_NEXT_HOP)
            {
                throw new UserException("routes-file " + file + ": " +
                    Ipv4Address.format(routes.prefix(i)) + "/" + routes.length(i) +
                    " has no next hop; write one after each prefix");
            }
            consumer.onRoute(routes.prefix(i), routes.length(i), routes.nextHop(i));
        }
    }

    private RouteList read()
    {
        try
        {
            return RouteTableReader.ofAllPeers().read(file);
        }
        catch (final UserException ex)
        {
            throw new UserException("routes-file " + ex.getMessage(), ex);
        }
    }

    /** Receives the routes. */
    @FunctionalInterface
    interface Consumer
    {
        void onRoute(int prefix, int length, int gateway);
    }
}
