package org.fibnuma.ipnuma.demo;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.ThreadPinning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The ping-pongs of this machine by transport, each with separate configuration files. */
public final class PingPongRuns
{
    private final PingPongPlace place;
    private final Path files;
    private final int limit;

    /**
     * Creates the description of runs.
     *
     * @param place of the two hosts.
     * @param files existing directory for configurations and sockets, removed by the caller.
     * @param limit maximum time of a measurement in seconds.
     */
    public PingPongRuns(final PingPongPlace place, final Path files, final int limit)
    {
        this.place = place;
        this.files = files;
        this.limit = limit;
    }

    /** Returns a run over the kernel's sockets: {@code udp} or {@code udp-poll}. */
    public PingPongRun sockets(final String transport)
    {
        final List<String> options = options("--transport", transport, "--address", place.socketAddress());
        return new PingPongRun(transport, options, options, limit);
    }

    /** Returns a run of IP-NUMA over AF_XDP, in a place with interfaces. */
    public PingPongRun xdp() throws IOException
    {
        return ipnuma("ipnuma over AF_XDP", "xdp",
            "xdp:" + PingPongPlace.SERVER_DEVICE, "xdp:" + PingPongPlace.CLIENT_DEVICE);
    }

    /** Returns a run of IP-NUMA over shared memory. */
    public PingPongRun sharedMemory() throws IOException
    {
        final String link = "shm:pingpong-" + ProcessHandle.current().pid();
        return ipnuma("ipnuma over shared memory", "shm", link, link + "@far");
    }

    /** Returns a run of IP-NUMA over DPDK's memif. Needs DPDK. */
    public PingPongRun memif() throws IOException
    {
        return ipnuma("ipnuma over memif", "memif", memifDevice(files, "server"), memifDevice(files, "client"));
    }

    /**
     * Returns the device of one end of a memif link.
     *
     * @param directory for the socket that connects the two ends.
     * @param role      {@code server} or {@code client}. The server has to start first.
     */
    public static String memifDevice(final Path directory, final String role)
    {
        return "dpdk:net_memif0,id=0,socket=" + directory.resolve("memif.sock") + ",socket-abstract=no,role=" + role;
    }

    private PingPongRun ipnuma(
        final String name, final String directory, final String serverDevice, final String clientDevice)
        throws IOException
    {
        final Path configs = Files.createDirectories(files.resolve(directory));
        return new PingPongRun(
            name,
            options("-c", config(configs, "a", serverDevice, place.serverEndpoint(), place.clientEndpoint())),
            options("-c", config(configs, "b", clientDevice, place.clientEndpoint(), place.serverEndpoint())),
            limit);
    }

    private List<String> options(final String... ofTransport)
    {
        final List<String> options = new ArrayList<>(List.of(ofTransport));
        if (!place.idle().equals(IdleStrategies.BUSY))
        {
            options.addAll(
                List.of("--idle", place.idle(), "--core", Integer.toString(ThreadPinning.ANY_CORE)));
        }
        return options;
    }

    private static String config(
        final Path directory, final String name, final String device, final EndpointAddress own,
        final EndpointAddress peer) throws IOException
    {
        final Path file = directory.resolve(name + ".toml");
        Files.writeString(file, String.join("\n",
            "[endpoint]",
            "name = \"pingpong-" + name + "-" + ProcessHandle.current().pid() + "\"",
            "device = \"" + device + "\"",
            own.toToml(),
            "[[peer]]",
            "id = " + peer.id(),
            "address = \"" + peer.ipv4() + "\"",
            ""));
        return file.toString();
    }
}
