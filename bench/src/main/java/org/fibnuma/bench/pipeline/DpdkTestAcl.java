package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.acl.AccessPacket;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.PortRange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * DPDK's {@code dpdk-test-acl} on the same IPv4 rules and packets, with the vector instructions of AVX2 and as many
 * packets in a call as a batch of the router has. It reads the rules in the format of ClassBench. Its figure is the
 * classification alone: its packets are five fields in memory, without reading headers, counters and actions.
 */
final class DpdkTestAcl
{
    static final String PROGRAM = "dpdk-test-acl";

    private static final Pattern RATE = Pattern.compile("iterations,.* ([0-9.]+) pkt/sec");
    private static final int ITERATIONS = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int ANY_PROTOCOL_MASK = 0;
    private static final int ONE_PROTOCOL_MASK = 0xFF;

    private Double nsPerPacket;
    private String missing;

    /**
     * Measures on the last core.
     *
     * @param rules   IPv4, by addresses, ports and protocol alone; type and code of ICMP count as ports.
     * @param packets to classify.
     * @param batch   packets in a call.
     */
    void measure(final List<AccessRule> rules, final List<AccessPacket> packets, final int batch)
    {
        if (!ChildProcess.isInstalled(PROGRAM))
        {
            missing = PROGRAM + " is not installed: apt-get install dpdk-dev";
            return;
        }
        try (TemporaryDirectory folder = TemporaryDirectory.create("acl"))
        {
            final Path rulesFile =
                Files.write(folder.path().resolve("rules"), rules.stream().map(DpdkTestAcl::line).toList());
            final Path packetsFile =
                Files.write(folder.path().resolve("packets"), packets.stream().map(DpdkTestAcl::line).toList());
            run(rulesFile, packetsFile, batch);
        }
        catch (final IOException ex)
        {
            throw new UserException("temporary folder: " + ex.getMessage());
        }
    }

    private void run(final Path rules, final Path packets, final int batch)
    {
        final String core = Integer.toString(PinnedRun.lastCore());
        try (ChildProcess program = ChildProcess.startTied(
            PROGRAM, "--in-memory", "--no-pci", "-l", core, "--", "--rulesf=" + rules, "--tracef=" + packets,
            "--iter=" + ITERATIONS, "--tracestep=" + batch, "--alg=avx2", "--bldcat=1", "--runcat=1"))
        {
            program.awaitExit(PATIENCE);
            for (final String line : program.output())
            {
                final Matcher rate = RATE.matcher(line);
                nsPerPacket = rate.find() ?
                    Double.valueOf(TimeUnit.SECONDS.toNanos(1) / Double.parseDouble(rate.group(1))) : nsPerPacket;
            }
            if (nsPerPacket == null)
            {
                final List<String> errors = program.errors();
                missing = PROGRAM + " ended with: " + (errors.isEmpty() ? "no output" : errors.get(errors.size() - 1));
            }
        }
    }

    private static String line(final AccessRule rule)
    {
        final boolean isAny = rule.protocol() == AccessRule.ANY;
        return "@" + text(rule.source()) + " " + text(rule.destination()) + " " + text(rule.sourcePorts()) + " " +
            text(rule.destinationPorts()) + " " + (isAny ? 0 : rule.protocol()) + "/" +
            (isAny ? ANY_PROTOCOL_MASK : ONE_PROTOCOL_MASK);
    }

    private static String text(final IpPrefix prefix)
    {
        return prefix == null ? "0.0.0.0/0" : prefix.toString();
    }

    private static String text(final PortRange ports)
    {
        return ports.first() + " : " + ports.last();
    }

    /** The addresses are numbers, as in a trace of ClassBench. */
    private static String line(final AccessPacket packet)
    {
        return Integer.toUnsignedString(packet.source().ipv4()) + " " +
            Integer.toUnsignedString(packet.destination().ipv4()) + " " + packet.sourcePort() + " " +
            packet.destinationPort() + " " + packet.protocol();
    }

    /** Returns the time of a packet in ns; null if it was not measured. */
    Double nsPerPacket()
    {
        return nsPerPacket;
    }

    /** Returns why there is no time; null if there is one. */
    String missing()
    {
        return missing;
    }
}
