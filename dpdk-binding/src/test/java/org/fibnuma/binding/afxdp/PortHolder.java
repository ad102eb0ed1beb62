package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.List;

/** A process that holds a started port until it is killed. */
final class PortHolder
{
    private PortHolder()
    {
    }

    /**
     * Opens a port and waits.
     *
     * @param arguments name of the network namespace, device.
     */
    public static void main(final String[] arguments) throws InterruptedException
    {
        final MemoryRegion region = MemoryRegion.ofChunks(256, 2048);
        final FramePool pool = new FramePool(region, 2048, 0, 256);
        final Port port = NetworkNamespace.call(arguments[0], () -> Ports.open(
            new PortRequest("held", arguments[1], 0, List.of(pool), new PortSettings(64, 64, 0, 64, true))));
        port.start();
        System.out.println("ready");
        Thread.sleep(60_000);
    }
}
