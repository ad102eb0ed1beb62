package org.fibnuma.bench.system;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A router with {@code control = "static"} whose ports the kernel does not see: the interfaces that stand for them get
 * the addresses of the file, and the kernel answers neighbour discovery for them. The hosts' gateway is fe80::1 on both
 * links.
 * <pre>
 *  a 2001:db8:a::2 a0 == left  2001:db8:a::1 router 2001:db8:b::1 right == b0 2001:db8:b::2 b
 * </pre>
 */
@NamespaceTest("ping")
@Timeout(300)
class Ipv6StaticRouterSystemTest
{
    private static final String CONFIG = """
        [router]
        name = "static6-%d"
        control = "static"
        ipv6 = true
        idle = "backoff"
        cores = []
        [[port]]
        name = "left"
        %s
        address = ["10.0.0.1/24", "2001:db8:a::1/64", "fe80::1/64"]
        [[port]]
        name = "right"
        %s
        address = ["10.0.1.1/24", "2001:db8:b::1/64", "fe80::1/64"]
        [[neighbor]]
        address = "2001:db8:a::2"
        mac = "02:00:00:00:07:00"
        [[neighbor]]
        address = "2001:db8:b::2"
        mac = "02:00:00:00:07:01"
        [[route]]
        prefix = "2001:db8:100::/48"
        via = "2001:db8:b::2"
        """;

    private final LabDevice device = LabDevice.chosen() == LabDevice.XDP ? LabDevice.TAP : LabDevice.chosen();
    private Host a;
    private Host b;
    private Host router;
    private RouterProcess process;

    @BeforeEach
    void open()
    {
        device.requireHost();
        a = Host.open("a");
        b = Host.open("b");
        router = Host.open("router");
        final List<LabCable> cables = List.of(
            new LabCable(a, "a0", router, "r0", "w0", RouterLab.MTU),
            new LabCable(b, "b0", router, "r1", "w1", RouterLab.MTU));
        for (final Host host : List.of(a, b, router))
        {
            host.sysctl("ipv6.conf.default.disable_ipv6", "0");
        }
        cables.forEach(device::prepare);
        process = RouterProcess.start(router, String.format(CONFIG, ProcessHandle.current().pid(),
            device.portKeys(cables.get(0), 0), device.portKeys(cables.get(1), 1)), Duration.ofSeconds(120));
        cables.forEach(device::connect);
        for (int i = 0; i < cables.size(); i++)
        {
            final Host host = cables.get(i).host();
            final String name = cables.get(i).hostDevice();
            host.run("ip", "link", "set", name, "address", "02:00:00:00:07:0" + i);
            host.run("ip", "address", "add", i == 0 ? "2001:db8:a::2/64" : "2001:db8:b::2/64", "dev", name, "nodad");
            host.run("ip", "-6", "route", "add", "default", "via", "fe80::1", "dev", name);
        }
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(process, a, b, router);
    }

    /** RFC 4861 section 7.2.4 and RFC 4862 section 5.4: the kernel uses the addresses once nobody else has them. */
    @Test
    void shouldLetTheKernelAnswerForTheAddressesOfTheFile()
    {
        for (final String address : List.of("fe80::1%a0", "2001:db8:a::1", "2001:db8:b::1"))
        {
            assertAnswered(a, address);
        }
        assertAnswered(b, "fe80::1%b0");
    }

    /** Both hosts find their gateway by neighbour discovery; the router has its neighbours from the file. */
    @Test
    void shouldForwardBetweenHostsThatHaveALinkLocalGateway()
    {
        assertAnswered(a, "2001:db8:b::2");
        final String output = a.run("ping", "-6", "-n", "-c", "1", "-W", "60", "2001:db8:b::2");
        assertTrue(output.contains("ttl=63"), output);
        b.run("ip", "address", "add", "2001:db8:100::7/128", "dev", "b0", "nodad");
        assertAnswered(a, "2001:db8:100::7");
        assertEquals(0, process.terminate(), () -> String.join("\n", process.errors()));
    }

    /** As long as an address is tentative, nobody answers for it. */
    private void assertAnswered(final Host host, final String address)
    {
        final String output = host.run(
            "sh", "-c", "ping -6 -n -q -c 1 -w 60 " + address + " && echo answered; true");
        assertTrue(output.contains("answered"), () -> output + String.join("\n", process.errors()));
    }
}
