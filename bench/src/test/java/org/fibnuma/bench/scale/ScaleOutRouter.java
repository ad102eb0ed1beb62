package org.fibnuma.bench.scale;

import org.fibnuma.bench.lab.Frr;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.bench.system.LabCable;
import org.fibnuma.bench.system.LabDevice;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A machine with Fibnuma and FRR, configured by the files of {@code docs/scale-out}. Ports that the kernel does not see
 * replace the {@code xdp:} ports of the file where the tests run over them.
 */
final class ScaleOutRouter implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int MTU = 1500;

    private final String label;
    private final String name;
    private final LabDevice device = LabDevice.chosen();
    private final Host host;
    /** Joins TAP devices, which end with Fibnuma, to cables, which do not. */
    private final Host bridges;
    private final Frr frr;
    private final List<LabCable> cables = new ArrayList<>();
    private RouterProcess process;
    private boolean isCutOff;

    /**
     * Makes the machine without ports.
     *
     * @param label     part of the names of its files.
     * @param directory empty, for its daemons.
     */
    ScaleOutRouter(final String label, final Path directory) throws IOException
    {
        this.label = label;
        this.name = label + "-" + ProcessHandle.current().pid();
        this.host = Host.open(label);
        this.bridges = Host.open(label + " bridges");
        this.frr = new Frr(host, directory);
    }

    /** Connects the next port to an interface of a neighbour, which is made here. */
    void connect(final String port, final Host neighbor, final String neighborDevice)
    {
        final int index = cables.size();
        final LabCable cable = device.needsRouter() ?
            new LabCable(bridges, "tap" + index, host, port, "w" + index, MTU) :
            new LabCable(neighbor, neighborDevice, host, port, "w" + index, MTU);
        if (device.needsRouter())
        {
            neighbor.connect(neighborDevice, bridges, "cable" + index, MTU);
            bridges.run("ip", "link", "add", "bridge" + index, "type", "bridge");
            bridges.run("ip", "link", "set", "cable" + index, "master", "bridge" + index);
            bridges.run("ip", "link", "set", "bridge" + index, "up");
        }
        device.prepare(cable);
        cables.add(cable);
    }

    /** Starts what the machine starts at its boot: its kernel's settings, Fibnuma and FRR. */
    void boot() throws IOException
    {
        if (isCutOff)
        {
            host.run("nft", "delete", "table", "inet", "dead");
            isCutOff = false;
        }
        host.enableIpv6();
        host.run("sysctl", "-q", "-p", ScaleOutLab.file("router.sysctl.conf").toString());
        startFibnuma();
        frr.startAll(ScaleOutLab.file(label + ".frr.conf"));
    }

    /** Starts Fibnuma and waits until every port forwards. */
    void startFibnuma() throws IOException
    {
        if (device.needsRouter())
        {
            cables.forEach(cable -> host.run("sh", "-c", "ip link delete " + cable.wire() + " 2>&1 || true"));
        }
        process = RouterProcess.start(host, config(), PATIENCE);
        if (device.needsRouter())
        {
            for (int i = 0; i < cables.size(); i++)
            {
                device.connect(cables.get(i));
                bridges.run("ip", "link", "set", cables.get(i).hostDevice(), "master", "bridge" + i);
            }
        }
    }

    private String config() throws IOException
    {
        // Other tests may run at the same time: a name of its own, and no core of its own.
        String config = replace(Files.readString(ScaleOutLab.file(label + ".toml")),
            "name = \"" + label + "\"", "name = \"" + name + "\"\ncores = []");
        for (int i = 0; i < cables.size(); i++)
        {
            config = replace(config, "device = \"xdp:" + cables.get(i).routerDevice() + "\"",
                device.portKeys(cables.get(i), i));
        }
        return config;
    }

    private static String replace(final String text, final String part, final String by)
    {
        assertTrue(text.contains(part), () -> part + " is not in " + text);
        return text.replace(part, by);
    }

    /** The name by which {@code fibnuma show} finds it. */
    String name()
    {
        return name;
    }

    /** Kills Fibnuma (SIGKILL). */
    void killFibnuma()
    {
        process.kill();
        process.close();
        process = null;
    }

    /** Kills the daemons of FRR (SIGKILL). */
    void killFrr() throws IOException
    {
        frr.killAll();
    }

    /** Sends a signal such as STOP to Fibnuma. */
    void signalFibnuma(final String signal)
    {
        host.run("sh", "-c", "kill -" + signal + " " + process.pid());
    }

    /** Has the machine's kernel neither send nor forward anything until the next boot, as if it were dead. */
    void cutOff()
    {
        isCutOff = true;
        host.run("nft", "table inet dead { " + Stream.of("input", "output", "forward")
            .map(hook -> "chain " + hook + " { type filter hook " + hook + " priority 0; policy drop; }; ")
            .collect(Collectors.joining()) + "}");
    }

    @Override
    public void close()
    {
        frr.close();
        if (process != null)
        {
            if (process.isAlive())
            {
                signalFibnuma("CONT");
            }
            process.close();
        }
        host.close();
        bridges.close();
    }
}
