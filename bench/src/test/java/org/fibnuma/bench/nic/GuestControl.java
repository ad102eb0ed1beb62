package org.fibnuma.bench.nic;

import org.fibnuma.bench.lab.CommandLineOutput;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.host.RunDirectory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Commands of this machine to a router in a {@link Guest}: its control socket is also a socket here. A command that
 * runs in the guest takes ten seconds.
 */
public final class GuestControl implements AutoCloseable
{
    /** The card that the guest needs for this. */
    public static final GuestNic CARD = new GuestNic("control", GuestNic.Model.VIRTIO, 1);

    private final String name;
    private final Path socket;

    private GuestControl(final String name, final Path socket)
    {
        this.name = name;
        this.socket = socket;
    }

    /** Ends the test where the program is missing that forwards connections. */
    public static void require()
    {
        Require.program("socat", "socat");
    }

    /**
     * Makes the router's socket one of this machine; the router need not run yet.
     *
     * @param guest      that has {@link #CARD}.
     * @param routerName name of the router in the guest.
     * @param name       name by which commands of this machine find the router, used by no other router here.
     * @return the forwarded socket.
     */
    public static GuestControl open(final Guest guest, final String routerName, final String name)
    {
        final Path socket = RunDirectory.controlSocketOf(name);
        try
        {
            RunDirectory.make(RunDirectory.path());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        guest.forward(CARD.name(), RunDirectory.controlSocketOf(routerName), socket);
        return new GuestControl(name, socket);
    }

    /** Returns the output of a command of the product, such as {@code show ports}. */
    public String run(final String... arguments)
    {
        final String[] named = Arrays.copyOf(arguments, arguments.length + 2);
        named[arguments.length] = "--name";
        named[arguments.length + 1] = name;
        return CommandLineOutput.of(named);
    }

    /** Removes the socket of this machine. */
    @Override
    public void close()
    {
        try
        {
            Files.deleteIfExists(socket);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
