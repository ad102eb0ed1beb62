package org.fibnuma.bench.system;

import org.fibnuma.bench.nic.Guest;
import org.fibnuma.bench.nic.GuestNic;
import org.fibnuma.bench.nic.GuestProcess;
import org.fibnuma.core.Require;
import org.fibnuma.core.host.RunDirectory;
import org.fibnuma.core.netns.Host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assumptions.abort;

/** A virtual machine with a card and a real driver for each port, r0 to r2, and one for the control socket. */
final class GuestMachine implements RouterMachine
{
    private static final String CONTROL = "control";

    private final Guest guest;
    private Path controlSocket;
    private GuestProcess router;

    private GuestMachine(final Guest guest)
    {
        this.guest = guest;
    }

    static GuestMachine boot(final GuestNic.Model model)
    {
        Require.program("socat", "socat");
        return new GuestMachine(Guest.boot(
            new GuestNic("r0", model, 1), new GuestNic("r1", model, 1), new GuestNic("r2", model, 1),
            new GuestNic(CONTROL, GuestNic.Model.VIRTIO, 1)));
    }

    @Override
    public String run(final String... command)
    {
        return guest.run(Arrays.stream(command)
            .map(word -> "'" + word.replace("'", "'\\''") + "'").collect(Collectors.joining(" ")));
    }

    @Override
    public String macAddress(final String device)
    {
        return guest.macAddress(device);
    }

    @Override
    public void give(final String device, final Host host, final String hostDevice)
    {
        guest.connect(device, host, hostDevice);
    }

    @Override
    public void carrier(final String device, final boolean isOn)
    {
        guest.link(device, isOn);
    }

    @Override
    public Host host()
    {
        return abort("starts programs beside the router, which has a virtual machine");
    }

    @Override
    public void startRouter(final String name, final String config, final List<String> flags)
    {
        router = guest.startRouter(config, flags.toArray(new String[0]));
        if (controlSocket == null)
        {
            controlSocket = RunDirectory.controlSocketOf(name);
            try
            {
                RunDirectory.make(RunDirectory.path());
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
            guest.forward(CONTROL, controlSocket);
        }
    }

    @Override
    public void stopRouter()
    {
        router.signal("TERM");
        router.awaitExit(Guest.PATIENCE);
        router = null;
    }

    @Override
    public boolean hasRouter()
    {
        return router != null;
    }

    @Override
    public List<String> log()
    {
        return router.output();
    }

    @Override
    public void close()
    {
        guest.close();
        try
        {
            if (controlSocket != null)
            {
                Files.deleteIfExists(controlSocket);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
