package org.fibnuma.bench.system;

import org.agrona.CloseHelper;
import org.fibnuma.bench.nic.Guest;
import org.fibnuma.bench.nic.GuestControl;
import org.fibnuma.bench.nic.GuestNic;
import org.fibnuma.bench.nic.GuestProcess;
import org.fibnuma.core.service.netns.Host;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assumptions.abort;

/** A virtual machine with a card and a real driver for each port, r0 to r2, and one for the control socket. */
final class GuestMachine implements RouterMachine
{
    private final Guest guest;
    private GuestControl control;
    private GuestProcess router;

    private GuestMachine(final Guest guest)
    {
        this.guest = guest;
    }

    static GuestMachine boot(final GuestNic.Model model)
    {
        GuestControl.require();
        return new GuestMachine(Guest.boot(
            new GuestNic("r0", model, 1), new GuestNic("r1", model, 1), new GuestNic("r2", model, 1),
            GuestControl.CARD));
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
        if (control == null)
        {
            control = GuestControl.open(guest, name, name);
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
        CloseHelper.closeAll(guest, control);
    }
}
