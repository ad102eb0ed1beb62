package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfLink;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfRegister;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.fibnuma.binding.afxdp.VethPair.FAR;
import static org.fibnuma.binding.afxdp.VethPair.NEAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every failure to open a port gives one line that states what to do, and leaves nothing behind. */
class XdpPortFailureSystemTest
{
    private static final int CHUNKS = 16_384;
    private static final PortSettings SETTINGS = new PortSettings(64, 64, 0, 64, true);
    private static final int CAP_IPC_LOCK = 14;

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, 2048);
    private final FramePool pool = new FramePool(region, 2048, 0, CHUNKS / 2);
    private final FramePool otherPool = new FramePool(region, 2048, CHUNKS / 2, CHUNKS / 2);
    private VethPair veth;

    @BeforeEach
    void makeVeth() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        veth = new VethPair(1);
    }

    @AfterEach
    void cleanUp()
    {
        region.close();
        if (veth != null)
        {
            veth.close();
        }
    }

    @Test
    void shouldSayThatThereIsNoSuchInterface()
    {
        assertFailure("port p (xdp:eth9): there is no interface eth9 in this network namespace: ip link shows them",
            "xdp:eth9", pool);
        assertFailure("port p (xdp:): \"\" cannot be the name of an interface", "xdp:", pool);
        assertFailure("port p (xdp:a b): \"a b\" cannot be the name of an interface", "xdp:a b", pool);
    }

    @Test
    void shouldSayThatTheInterfaceIsDown() throws IOException
    {
        VethPair.in(NEAR, "ip", "link", "set", NEAR, "down");

        assertFailure("port p (xdp:near): the interface is down: ip link set near up", "xdp:near", pool);
    }

    @Test
    void shouldRefuseWhatIsNotEthernet()
    {
        assertFailure("port p (xdp:lo): is not an Ethernet interface", "xdp:lo", pool);
    }

    @Test
    void shouldSayWhichMtuFits() throws IOException
    {
        VethPair.in(NEAR, "ip", "link", "set", NEAR, "mtu", "3000");

        assertFailure("port p (xdp:near): its MTU of 3000 does not fit a frame of 2048 bytes, which has room for " +
            "1778: ip link set near mtu 1778", "xdp:near", pool);
    }

    /** The kernel takes segmentation offload from the other end of a veth only for a program in the driver. */
    @Test
    void shouldSayWhichMtuFitsAtTheOtherEnd() throws IOException
    {
        VethPair.in(FAR, "ip", "link", "set", FAR, "mtu", "3507");
        assertFailure("port p (xdp:near): the MTU of its peer is too large for an XDP program in the driver, " +
            "without which large TCP sends arrive unsegmented: set the peer's MTU to 3506 or less",
            "xdp:near", pool);
        VethPair.in(FAR, "ip", "link", "set", FAR, "mtu", "3506");
        try (Port port = inNear(() -> Ports.open(request("xdp:near", pool))))
        {
            assertTrue(port.mode().contains("native"), port::mode);
        }
    }

    @Test
    void shouldAskForAsManyQueuesAsWorkers() throws IOException
    {
        assertFailure("port p (xdp:near): has 1 transmit queues for 2 workers: ethtool -L near combined 2 " +
            "(or rx 2 tx 2), queues = \"auto\" of the port, or fewer workers", "xdp:near", pool, otherPool);

        veth.close();
        veth = new VethPair(2);
        assertFailure("port p (xdp:near): has 2 receive queues for 1 workers, but each worker needs exactly one: " +
            "ethtool -L near combined 1 (or rx 1 tx 1), or queues = \"auto\" of the port", "xdp:near", pool);
    }

    @Test
    void shouldSayWhichProgramIsAttached() throws IOException
    {
        final BpfProgram program = BpfProgram.loadXdp(
            new BpfAssembler().mov(BpfRegister.R0, XdpAction.PASS).exit().assemble(), "fibnuma_test");
        final BpfLink link = inNear(
            () -> BpfLink.attachXdp(program, LibC.get().if_nametoindex(NEAR), XdpMode.NATIVE));
        try (program; link)
        {
            final String id = attachedProgram();
            assertFailure("port p (xdp:near): an XDP program is attached already, id " + id + " (fibnuma_test) " +
                "(bpftool prog show id " + id + "): stop its owner, or detach it with ip link set near xdp off",
                "xdp:near", pool);
        }
    }

    /** As iproute2 shows it: "prog/xdp id 12 name fibnuma_test". */
    private String attachedProgram() throws IOException
    {
        final Matcher matcher = Pattern.compile("prog/xdp id (\\d+)").matcher(
            VethPair.in(NEAR, "ip", "-d", "link", "show", NEAR));
        assertTrue(matcher.find());
        return matcher.group(1);
    }

    @Test
    void shouldSayThatTheQueueIsTaken()
    {
        try (Port first = inNear(() -> Ports.open(request("xdp:near", pool))))
        {
            assertEquals(1, first.queueCount());
            assertFailure("port p (xdp:near): queue 0 is in use by another AF_XDP socket: another router or capture " +
                "on this interface? (ss --xdp shows it)", "xdp:near", otherPool);
        }
    }

    @Test
    void shouldAskForRoot() throws InterruptedException
    {
        assertEquals("port p (xdp:near): needs root, or the capabilities CAP_NET_ADMIN, CAP_NET_RAW and CAP_BPF: " +
            "run it with sudo", withoutCapabilities(-1L));
    }

    @Test
    void shouldSayThatMemoryCannotBeLocked() throws InterruptedException, IOException
    {
        final long limit = Long.parseLong(VethPair.run("bash", "-c", "ulimit -l").replace("unlimited", "-1").strip());
        Require.that(limit >= 0 && limit * 1024 < region.size(), "needs a limit on locked memory below 32 MiB");

        assertEquals("port p (xdp:near): cannot lock 32 MiB of frame memory: run it as root or raise the limit " +
            "(ulimit -l unlimited), or use fewer frames", withoutCapabilities(1L << CAP_IPC_LOCK));
    }

    @Test
    void shouldSayThatThereAreTooFewFrames()
    {
        final FramePool small = new FramePool(region, 2048, 0, 100);

        assertFailure("port p (xdp:near): needs 128 receive frames from each worker, but only 100 of 100 are " +
            "free: use more frames or a smaller receive ring", "xdp:near", small);
    }

    private void assertFailure(final String message, final String device, final FramePool... pools)
    {
        final long descriptors = openDescriptors();
        final int available = pools[0].available();
        final UserException ex = assertThrows(
            UserException.class, () -> inNear(() -> Ports.open(request(device, pools))));

        assertEquals(message, ex.getMessage());
        assertEquals(descriptors, openDescriptors());
        assertEquals(available, pools[0].available());
    }

    /** Opens a port on a thread that has given up some capabilities, which are a thread's own. */
    private String withoutCapabilities(final long dropped) throws InterruptedException
    {
        final AtomicReference<UserException> failure = new AtomicReference<>();
        final Thread thread = new Thread(() ->
        {
            NetworkNamespace.enter(VethPair.namespace(NEAR));
            dropCapabilities(dropped);
            failure.set(assertThrows(UserException.class, () -> Ports.open(request("xdp:near", pool))));
        });
        thread.start();
        thread.join();
        return failure.get().getMessage();
    }

    /** capset(2) of linux/capability.h, version 3: a header, then effective, permitted, inheritable twice. */
    private static void dropCapabilities(final long dropped)
    {
        final boolean amd64 = "amd64".equals(System.getProperty("os.arch"));
        try (StructMemory header = new StructMemory(8).putInt(0, 0x20080522);
            StructMemory sets = new StructMemory(24))
        {
            LibC.get().syscall(amd64 ? 125 : 90, header.address(), sets.address(), 0);
            sets.putInt(0, sets.getInt(0) & (int)~dropped).putInt(12, sets.getInt(12) & (int)(~dropped >>> 32));
            SystemCallException.check(
                (int)LibC.get().syscall(amd64 ? 126 : 91, header.address(), sets.address(), 0), "capset");
        }
    }

    private static PortRequest request(final String device, final FramePool... pools)
    {
        return new PortRequest("p", device, 0, List.of(pools), SETTINGS);
    }

    private static <T> T inNear(final Supplier<T> action)
    {
        return NetworkNamespace.call(VethPair.namespace(NEAR), action);
    }

    /** Sockets, maps, programs and links of this process; pipes of children come and go by themselves. */
    private static long openDescriptors()
    {
        long count = 0;
        for (final File file : new File("/proc/self/fd").listFiles())
        {
            try
            {
                final String target = Files.readSymbolicLink(file.toPath()).toString();
                count += target.startsWith("socket:") || target.startsWith("anon_inode:bpf") ? 1 : 0;
            }
            catch (final IOException ignore)
            {
                // Closed since it was listed, such as the directory itself.
            }
        }
        return count;
    }
}
