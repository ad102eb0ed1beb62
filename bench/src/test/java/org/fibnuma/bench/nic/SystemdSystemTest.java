package org.fibnuma.bench.nic;

import org.fibnuma.bench.product.DebianPackage;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The units of the Debian package under systemd, in a virtual machine: readiness, what the sandbox forbids, reload, a
 * kill, a process that hangs, the end, and a configuration that cannot be read.
 * <pre>
 *  left 10.0.0.2 h0 == [ left, fibnuma-router@edge, right ] == h0 10.0.1.2 right
 *                       10.0.0.1                  10.0.1.1
 * </pre>
 */
@Tag("slow")
class SystemdSystemTest
{
    private static final String ROUTER = "fibnuma-router@edge";
    private static final String ENDPOINT = "fibnuma-endpoint@memory";
    private static final String ROUTER_FILE = "[router]\nname = \"edge\"\ncores = []\nrx-ring-size = 256\n" +
        "tx-ring-size = 256\n[[port]]\nname = \"left\"\ndevice = \"xdp:left\"\n[[port]]\nname = \"right\"\n" +
        "device = \"xdp:right\"\n[http]\n";
    private static final String ENDPOINT_FILE = "[endpoint]\nname = \"memory\"\ndevice = \"xdp:left\"\n" +
        "address = \"10.0.0.9/24\"\nrx-ring-size = 64\ntx-ring-size = 64\n[[peer]]\nid = 2\naddress = \"10.0.0.2\"\n";
    /** The guest compiles slowly and has little memory. */
    private static final String SLOW = "[Service]\nEnvironment=\"FIBNUMA_JAVA_OPTS=-XX:TieredStopAtLevel=1 -Xms64m " +
        "-Xmx256m -XX:-AlwaysPreTouch " + Guest.SHORT_WARM_UP + "\"\n";
    /** CAP_NET_ADMIN (12), CAP_NET_RAW (13) and CAP_BPF (39), of linux/capability.h. */
    private static final String CAPABILITIES = "0000008000003000";

    private Guest guest;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldRunAsServicesOfSystemd() throws IOException
    {
        Require.root();
        Require.program("ping", "iputils-ping");
        Require.program("curl", "curl");
        final Path deb = DebianPackage.find();
        try (Guest booted = Guest.bootSystemd(new GuestNic("left", GuestNic.Model.VIRTIO, 1),
            new GuestNic("right", GuestNic.Model.VIRTIO, 1));
            Host left = Host.open("left"); Host right = Host.open("right"))
        {
            guest = booted;
            GuestTraffic.connect(guest, "left", left, "10.0.0.");
            GuestTraffic.connect(guest, "right", right, "10.0.1.");
            guest.run("ip address add 10.0.0.1/24 dev left && ip address add 10.0.1.1/24 dev right && " +
                "ip link set left up && ip link set right up");
            install(deb);

            guest.run("systemctl start " + ROUTER);
            assertEquals("active", show(ROUTER, "ActiveState"));
            assertEquals("router edge forwards, ports: 2", show(ROUTER, "StatusText"));
            assertSandbox(ROUTER);
            assertForwards(left);
            reload();
            restart("kill -9 ", 1);
            assertForwards(left);
            // The unit's WatchdogSec.
            restart("kill -STOP ", 2);
            assertForwards(left);
            end(ROUTER);
            refuseAConfiguration();

            guest.run("systemctl start " + ENDPOINT);
            assertEquals("endpoint memory serves, peers: 1", show(ENDPOINT, "StatusText"));
            assertSandbox(ENDPOINT);
            end(ENDPOINT);
        }
    }

    private void install(final Path deb)
    {
        guest.share(deb);
        guest.write("edge.toml", ROUTER_FILE);
        guest.write("memory.toml", ENDPOINT_FILE);
        guest.write("slow.conf", SLOW);
        // Without the trigger of man-db, which reads all manual pages.
        guest.run("dpkg --no-triggers -i " + deb.getFileName() + " && cp *.toml /etc/fibnuma && " +
            "for kind in router endpoint; do mkdir -p /run/systemd/system/fibnuma-$kind@.service.d; " +
            "cp slow.conf /run/systemd/system/fibnuma-$kind@.service.d; done; systemctl daemon-reload");
    }

    private String show(final String unit, final String property)
    {
        return guest.run("systemctl show -P " + property + " " + unit);
    }

    private void await(final String condition)
    {
        guest.run("for i in $(seq 300); do if " + condition + "; then exit 0; fi; sleep 0.5; done; " +
            "systemctl status --no-pager -l 'fibnuma*'; exit 1");
    }

    private void assertSandbox(final String unit)
    {
        final String process = show(unit, "MainPID");
        final String status = guest.run("cat /proc/" + process + "/status");
        for (final String set : new String[] {"CapPrm", "CapEff", "CapBnd", "CapAmb"})
        {
            assertTrue(status.contains(set + ":\t" + CAPABILITIES + "\n"), status);
        }
        assertTrue(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"), status);
        assertEquals("fibnuma fibnuma", guest.run("ps -o user=,group= -p " + process + " | xargs echo"));
        // What root can do in the unit's view of the files, which limits the unit's user the more.
        final String seen = guest.run("nsenter -t " + process + " -m sh -c '" +
            "for directory in /usr /etc /etc/fibnuma /var /boot; do touch $directory/x; done; " +
            "ls -A /home /root; touch /tmp/private; ls /dev/kmsg /dev/mem /dev/ttyS0; true'");
        for (final String directory : new String[] {"/usr", "/etc", "/etc/fibnuma", "/var", "/boot"})
        {
            assertTrue(seen.contains("touch: cannot touch '" + directory + "/x': Read-only file system"), seen);
        }
        assertTrue(seen.contains("/home:\n\n/root:\n"), seen);
        guest.run("test ! -e /tmp/private");
    }

    /** Packets from one side to the other; the router, not the kernel, has forwarded them. */
    private void assertForwards(final Host left)
    {
        GuestTraffic.awaitPing(left, "10.0.1.2", " ttl=63 ");
        final String metrics = guest.run("curl -sSf http://127.0.0.1:9473/metrics");
        assertTrue(metrics.matches(
            "(?s).*\nfibnuma_forwarded_packets_total\\{family=\"ipv4\"} [1-9].*"), metrics);
    }

    private void reload()
    {
        guest.write("edge.toml", ROUTER_FILE.replace("[router]", "[router]\npunts-per-second = 777"));
        guest.run("cp edge.toml /etc/fibnuma/edge.toml && systemctl reload " + ROUTER);
        await("[ \"$(systemctl show -P StatusText " + ROUTER +
            ")\" = 'reloaded /etc/fibnuma/edge.toml, changes: 1' ]");
        assertEquals("active", show(ROUTER, "ActiveState"));
    }

    /** Systemd starts a router again that was killed or does not answer the watchdog. */
    private void restart(final String how, final int restarts)
    {
        guest.run(how + show(ROUTER, "MainPID"));
        await("[ \"$(systemctl show -P NRestarts " + ROUTER + ")\" = " + restarts + " ] && " +
            "[ \"$(systemctl is-active " + ROUTER + ")\" = active ]");
    }

    private void end(final String unit)
    {
        guest.run("systemctl stop " + unit);
        assertEquals("inactive", show(unit, "ActiveState"));
        assertEquals("success", show(unit, "Result"));
        assertEquals("0", guest.run("ip -d link show left | grep -c xdp; true"));
    }

    /** The line is in the journal, and systemd does not try again. */
    private void refuseAConfiguration()
    {
        guest.run("sed -i s/punts-per-second/punts-per-minute/ /etc/fibnuma/edge.toml");
        guest.run("if systemctl start " + ROUTER + "; then exit 1; fi");
        assertEquals("failed", show(ROUTER, "ActiveState"));
        assertEquals("2", show(ROUTER, "ExecMainStatus"));
        assertEquals("0", show(ROUTER, "NRestarts"));
        final String errors = guest.run("journalctl -u " + ROUTER + " -p err -t fibnuma -o cat --no-pager");
        assertTrue(errors.contains("/etc/fibnuma/edge.toml:2: router.punts-per-minute: unknown key"), errors);
    }
}
