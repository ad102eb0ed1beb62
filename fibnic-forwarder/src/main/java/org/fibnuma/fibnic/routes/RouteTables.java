package org.fibnuma.fibnic.routes;

import org.fibnuma.core.UserException;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Tables by name: a file, or {@code generated:N} for N generated routes. */
public final class RouteTables
{
    private static final String GENERATED = "generated:";

    private RouteTables()
    {
    }

    /**
     * Opens an IPv4 table with the routes of all peers.
     *
     * @param name path of a file for {@link RouteTableReader}, or {@code generated:N}.
     * @return its routes.
     * @throws UserException with one line where there is no such table.
     */
    public static RouteList open(final String name)
    {
        return open(name, RouteTableReader.ofAllPeers());
    }

    /**
     * Opens an IPv4 table.
     *
     * @param name   path of a file, or {@code generated:N}.
     * @param reader for files.
     * @return its routes.
     * @throws UserException with one line where there is no such table.
     */
    public static RouteList open(final String name, final RouteTableReader reader)
    {
        if (name.startsWith(GENERATED))
        {
            return new RouteTableGenerator().generate(countOf(name, RouteTableGenerator.MAX_ROUTES));
        }
        return reader.read(pathOf(name));
    }

    /**
     * Opens an IPv6 table.
     *
     * @param name   path of a file, or {@code generated:N}.
     * @param reader for files.
     * @return its routes.
     * @throws UserException with one line where there is no such table.
     */
    public static Ipv6RouteList openIpv6(final String name, final RouteTableReader reader)
    {
        if (name.startsWith(GENERATED))
        {
            return new Ipv6RouteTableGenerator().generate(countOf(name, Ipv6RouteTableGenerator.MAX_ROUTES));
        }
        return reader.readIpv6(pathOf(name));
    }

    private static Path pathOf(final String name)
    {
        try
        {
            return Path.of(name);
        }
        catch (final InvalidPathException ex)
        {
            throw new UserException(name + ": not a file name: " + ex.getReason());
        }
    }

    /**
     * Writes an IPv4 table as lines {@code prefix next-hop}.
     *
     * @param routes announcements only.
     * @param file   to write, replaced where it exists.
     * @throws UserException naming the file, where it cannot be written.
     */
    public static void write(final RouteList routes, final Path file)
    {
        write(routes, new Ipv6RouteList(), file);
    }

    /**
     * Writes tables of both families to one file as lines {@code prefix next-hop}.
     *
     * @param routes     announcements only.
     * @param ipv6Routes announcements only.
     * @param file       to write, replaced where it exists.
     * @throws UserException naming the file, where it cannot be written.
     */
    public static void write(final RouteList routes, final Ipv6RouteList ipv6Routes, final Path file)
    {
        try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.US_ASCII))
        {
            for (int i = 0; i < routes.size(); i++)
            {
                writer.write(routes.format(i));
                writer.write('\n');
            }
            for (int i = 0; i < ipv6Routes.size(); i++)
            {
                writer.write(ipv6Routes.format(i));
                writer.write('\n');
            }
        }
        catch (final IOException ex)
        {
            throw new UserException(file + ": cannot be written: " + ex.getMessage());
        }
    }

    private static int countOf(final String name, final int most)
    {
        try
        {
            final int count = Integer.parseInt(name.substring(GENERATED.length()));
            if (count >= 1 && count <= most)
            {
                return count;
            }
        }
        catch (final NumberFormatException ignore)
        {
            // The message below has this reason too.
        }
        throw new UserException(name + ": write generated:N with N from 1 to " + most);
    }
}
