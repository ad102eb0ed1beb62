package org.fibnuma.fibnic.control;

import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.datapath.EgressQueues;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.pfc.config.PfcCheck;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Logs ports, tables and limits of a router that has started. */
final class StartupFacts
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StartupFacts.class);

    private static final Path IP_FORWARD = Path.of("/proc/sys/net/ipv4/ip_forward");
    private static final long GIGABIT = 1_000_000_000L;

    private StartupFacts()
    {
    }

    static void log(
        final RouterConfig config, final OpenPorts ports, final Ipv4Fib fib, final Ipv6Fib ipv6Fib, final long loadedMs)
    {
        for (final Port port : ports.list())
        {
            LOGGER.info("port {}: {}, {}, MTU {}", port.name(), port.device(), port.mode(), port.mtu());
            port.capability(SharedInterface.class).map(SharedInterface::fallback).filter(text -> !text.isEmpty())
                .ifPresent(text -> LOGGER.info("port {}: {}", port.name(), text));
        }
        for (final KernelPort exception : ports.kernelPaths().own().values())
        {
            LOGGER.info("port {}: {} is its interface in the kernel", exception.name(), exception.device());
        }
        LOGGER.info("table: {} routes in {} ms, {} bits a code, {} KiB",
            fib.size(), loadedMs, fib.codeBits(), (fib.tableBytes() + fib.secondLevelBytes()) >> 10);
        if (config.forwarding().ipv6())
        {
            LOGGER.info("IPv6 table: {} routes, {} KiB", ipv6Fib.size(), ipv6Fib.tableBytes() >> 10);
        }
        final int depth = config.limits().egressFifoDepth();
        final long delayNs = EgressQueues.addedLatencyNs(
            ports.list().size(), depth, EthernetHeaderFlyweight.LENGTH + EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH,
            GIGABIT);
        LOGGER.info("egress FIFOs of {} frames can delay a frame by {} ms at 1 Gbit/s",
            depth, String.format(Locale.ROOT, "%.1f", delayNs / (double)TimeUnit.MILLISECONDS.toNanos(1)));
        if (config.isLossless())
        {
            LOGGER.info("lossless: {} by {}",
                FlowControlFacts.names(config.pfc().losslessPriorities()), config.pfc().policy().key());
            PfcCheck.findings(config.pfc()).forEach(finding -> LOGGER.warn(finding.text()));
        }
        if (config.control().fpm() != null)
        {
            LOGGER.info("fpm: waiting for zebra on {}; until it connects, only connected networks have routes",
                config.control().fpm().listenText());
        }
        if (config.control().mode().followsKernel() && !kernelForwards())
        {
            LOGGER.warn("net.ipv4.ip_forward is 0: the kernel does not forward frames to other interfaces, and none " +
                "after this router ends; sysctl -w net.ipv4.ip_forward=1");
        }
    }

    private static boolean kernelForwards()
    {
        try
        {
            return !"0".equals(Files.readString(IP_FORWARD).trim());
        }
        catch (final IOException ignore)
        {
            return true;
        }
    }
}
