package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.naming.NamedRegion;
import org.fibnuma.ipnuma.naming.socket.NameClient;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two endpoints of one process, each with its thread, a client and names. */
@Timeout(120)
class EndpointServicesTest
{
    private static final String KEY = "seal-key = \"000102030405060708090a0b0c0d0e0f\"\n";
    private static final String OTHER_KEY = "seal-key = \"0f0e0d0c0b0a09080706050403020100\"\n";

    @TempDir
    private Path directory;
    private String device = "shm:";
    private final String prefix = "test-services-" + ProcessHandle.current().pid();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll()
    {
        for (int i = open.size() - 1; i >= 0; i--)
        {
            CloseHelper.close(open.get(i));
        }
    }

    @Test
    void shouldStoreThroughAClientIntoARegionFoundByName() throws Exception
    {
        final int port = freePort();
        start("a", 1, 2, "", "");
        start("b", 2, 1, "names = \"127.0.0.1:" + port + "\"\nnames-allow = [\"127.0.0.1\"]\n", "");
        try (NameClient names = new NameClient();
            EndpointClient client = EndpointClient.connect(prefix + "a", AnswerListener.NONE);
            RegionMapping box = EndpointClient.connect(prefix + "b", AnswerListener.NONE).region("box"))
        {
            final NamedRegion region =
                names.lookup(new InetSocketAddress("127.0.0.1", port), "box", 2000);
            assertEquals(prefix + "b", region.endpoint());
            assertTrue(client.tryKey(2, region.id(), region.key(), 1));
            final RemoteWindow window = client.window(2, region.id());
            window.putLong(128, 4711);
            window.flush();
            await(() -> box.getLongAcquire(128) == 4711);
            assertTrue(client.tryAtomic(1, ClientMessage.target(2, region.id(), 128), 2, 0, 8, 7));
            await(() -> box.getLongAcquire(128) == 4713);
        }
    }

    @Test
    void shouldTellAProgramInCThatItsStoreIsRefusedAndTakeItWithTheKey() throws Exception
    {
        Require.program("gcc", "gcc libc6-dev");
        final Path program = directory.resolve("numa_client");
        assertEquals(0, new ProcessBuilder("gcc", "-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2",
            "-o", program.toString(),
            Require.projectDirectory().resolve("ipnuma-endpoint/src/main/c/numa_client.c").toString())
            .inheritIO().start().waitFor());
        final int port = freePort();
        start("a", 1, 2, "", "");
        start("b", 2, 1, "names = \"127.0.0.1:" + port + "\"\nnames-allow = [\"127.0.0.1\"]\n", "");
        final List<String> command = new ArrayList<>(List.of(program.toString(),
            "/dev/shm/fibnuma-" + prefix + "a/clients", "box", "2", "1", "4711"));
        assertEquals("the store was refused: wrong key\n", errorsOf(command));
        command.add("0x1");
        assertEquals("the store was refused: wrong key\n", errorsOf(command));
        try (NameClient names = new NameClient();
            RegionMapping far = EndpointClient.connect(prefix + "b", AnswerListener.NONE).region("box");
            RegionMapping near = EndpointClient.connect(prefix + "a", AnswerListener.NONE).region("box"))
        {
            final long key = names.lookup(new InetSocketAddress("127.0.0.1", port), "box", 2000).key();
            command.set(command.size() - 1, "0x" + Long.toHexString(key));
            final Process stored = new ProcessBuilder(command).redirectErrorStream(true).start();
            open.add(stored::destroyForcibly);
            await(() -> far.getLongAcquire(8) == 4711);
            near.putLongRelease(0, 815);
            assertTrue(stored.waitFor(10, TimeUnit.SECONDS));
            assertEquals("815\n", new String(stored.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private String errorsOf(final List<String> command) throws Exception
    {
        final Process process = new ProcessBuilder(command).start();
        open.add(process::destroyForcibly);
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertEquals(1, process.exitValue());
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldAnswerAClientFromThePeer() throws Exception
    {
        start("a", 1, 2, "", "");
        start("b", 2, 1, "", "");
        final List<String> answers = new ArrayList<>();
        final AnswerListener listener = new AnswerListener()
        {
            @Override
            public void onAtomic(final long correlation, final int status, final long previous)
            {
                answers.add(correlation + " " + status + " " + previous);
            }

            @Override
            public void onPeer(final int type, final int peerId, final int status, final long value)
            {
                answers.add("peer " + type + " " + status + " " + value);
            }
        };
        try (EndpointClient client = EndpointClient.connect(prefix + "a", listener))
        {
            assertTrue(client.tryAtomic(1, ClientMessage.target(2, 1, 0), 5, 0, 8, 1));
            assertTrue(client.tryAtomic(1, ClientMessage.target(2, 9, 0), 5, 0, 8, 2));
            await(() -> client.poll() >= 0 && answers.size() >= 2);
            assertTrue(answers.containsAll(List.of("1 0 0", "2 1 0")), answers.toString());
        }
    }

    @Test
    void shouldTellAClientOfEachWriteOnceAndNotBeforeItIsStored() throws Exception
    {
        device = "fault:loss=3,dup=3,reorder=3,corrupt=3,delay-us=20,seed=7/shm:";
        start("a", 1, 2, "", "");
        start("b", 2, 1, "", "");
        try (RegionMapping box = EndpointClient.connect(prefix + "b", AnswerListener.NONE).region("box"))
        {
            final long[] last = new long[1];
            final List<String> faults = new ArrayList<>();
            final AnswerListener listener = new AnswerListener()
            {
                @Override
                public void onWritten(final long correlation, final int status)
                {
                    if (correlation != ++last[0] || status != 0 || box.getLongAcquire(8 * correlation) != correlation)
                    {
                        faults.add(correlation + " " + status);
                    }
                }
            };
            try (EndpointClient client = EndpointClient.connect(prefix + "a", listener))
            {
                for (int i = 1; i <= 6000; i++)
                {
                    writeWhenPossible(client, ClientMessage.target(2, 1, 8L * i), i, i);
                }
                await(() -> client.poll() >= 0 && last[0] == 6000);
                assertEquals(List.of(), faults);
            }
        }
    }

    @Test
    void shouldTellAClientWhyItsWritesAreNotStored() throws Exception
    {
        start("a", 1, 2, "", "");
        start("b", 2, 1, "", "");
        final List<String> answers = new ArrayList<>();
        final AnswerListener listener = new AnswerListener()
        {
            @Override
            public void onWritten(final long correlation, final int status)
            {
                answers.add(correlation + " " + status);
            }
        };
        try (EndpointClient client = EndpointClient.connect(prefix + "a", listener))
        {
            writeWhenPossible(client, ClientMessage.target(2, 1, 0), 1, 1);
            writeWhenPossible(client, ClientMessage.target(2, 9, 0), 1, 2);
            writeWhenPossible(client, ClientMessage.target(2, 1, 64 * 1024), 1, 3);
            writeWhenPossible(client, ClientMessage.target(7, 1, 0), 1, 4);
            writeWhenPossible(client, ClientMessage.target(2, 1, 8), 1, 5);
            await(() -> client.poll() >= 0 && answers.size() == 5);
            assertTrue(answers.containsAll(List.of("4 " + ClientStatus.NO_PEER)), answers.toString());
            assertFalse(answers.contains("2 0") || answers.contains("3 0"), answers.toString());
            // A peer tells exactly of one refused write in 100 us.
            writeUntilAnsweredWith(client, ClientMessage.target(2, 9, 0), answers, "6 " + AccessStatus.NO_REGION);
            writeUntilAnsweredWith(
                client, ClientMessage.target(2, 1, 64 * 1024), answers, "7 " + AccessStatus.OUT_OF_RANGE);
        }
    }

    @Test
    void shouldTellAClientOnceOfEachWriteThatAnEndedPeerHasNotAcknowledged() throws Exception
    {
        start("a", 1, 2, "", "");
        start("b", 2, 1, "", "");
        final int[] told = new int[4001];
        final int[] lost = new int[1];
        final AnswerListener listener = new AnswerListener()
        {
            @Override
            public void onWritten(final long correlation, final int status)
            {
                told[(int)correlation]++;
                lost[0] += status == ClientStatus.UNANSWERED || status == ClientStatus.NOT_SENT ? 1 : 0;
            }
        };
        try (EndpointClient client = EndpointClient.connect(prefix + "a", listener))
        {
            // Writes for a peer that is down wait in the client's ring, so that it starts anew without the writer.
            final FutureTask<Endpoint> restart = new FutureTask<>(() ->
            {
                CloseHelper.close(open.remove(1));
                return start("b", 2, 1, "", "");
            });
            for (int i = 1; i <= 4000; i++)
            {
                if (i == 1000)
                {
                    new Thread(restart).start();
                }
                if (i == 3000)
                {
                    restart.get();
                }
                writeWhenPossible(client, ClientMessage.target(2, 1, 8L * (i % 1000)), i, i);
            }
            await(() -> client.poll() >= 0 && Arrays.stream(told).sum() == 4000);
            for (int i = 1; i <= 4000; i++)
            {
                assertEquals(1, told[i]);
            }
        }
    }

    /** The answer begins with the correlation. */
    private static void writeUntilAnsweredWith(
        final EndpointClient client, final long target, final List<String> answers, final String answer)
    {
        final String uncertain = answer.charAt(0) + " " + ClientStatus.UNCERTAIN;
        await(() ->
        {
            answers.clear();
            writeWhenPossible(client, target, 1, answer.charAt(0) - '0');
            await(() -> client.poll() >= 0 && answers.size() == 1);
            assertTrue(answers.contains(answer) || answers.contains(uncertain), answers.toString());
            return answers.contains(answer);
        });
    }

    private static void writeWhenPossible(
        final EndpointClient client, final long target, final long value, final long correlation)
    {
        final UnsafeBuffer data = new UnsafeBuffer(new byte[Long.BYTES]);
        data.putLong(0, value);
        await(() -> client.poll() >= 0 &&
            client.tryWrite(target, data, 0, Long.BYTES, ClientMessage.ORDERED, correlation));
    }

    @Test
    void shouldTalkSealedAndRefuseWhatIsNot() throws Exception
    {
        talkSealed();
    }

    @Test
    void shouldTalkSealedThoughDatagramsAreLostDoubledReorderedAndChanged() throws Exception
    {
        device = "fault:loss=3,dup=3,reorder=3,corrupt=3,delay-us=20,seed=7/shm:";
        talkSealed();
    }

    private void talkSealed() throws Exception
    {
        final Endpoint a = start("a", 1, 2, "", KEY);
        start("b", 2, 1, "", KEY);
        try (EndpointClient client = EndpointClient.connect(prefix + "a", AnswerListener.NONE);
            RegionMapping box = EndpointClient.connect(prefix + "b", AnswerListener.NONE).region("box"))
        {
            final RemoteWindow window = client.window(2, 1);
            for (int i = 0; i < 6000; i++)
            {
                window.putLong(8L * i, i + 1);
            }
            window.flush();
            await(() -> box.getLongAcquire(8 * 5999) == 6000);
            for (int i = 0; i < 6000; i++)
            {
                assertEquals(i + 1, box.getLongAcquire(8L * i));
            }
        }
        assertTrue(a.agent().channel(2).isUp());
    }

    @Test
    void shouldNotConnectWithAnotherKeyOrNone() throws Exception
    {
        final Endpoint a = start("a", 1, 2, "", KEY);
        final Endpoint b = start("b", 2, 1, "", OTHER_KEY);
        await(() -> sealRefused(a) > 0 && sealRefused(b) > 0);
        assertFalse(a.agent().channel(2).isUp());
        assertFalse(b.agent().channel(1).isUp());
        closeAll();
        open.clear();
        final Endpoint again = start("a", 1, 2, "", KEY);
        start("b", 2, 1, "", "");
        await(() -> sealRefused(again) > 0);
        assertFalse(again.agent().channel(2).isUp());
    }

    private static long sealRefused(final Endpoint endpoint)
    {
        return endpoint.agent().counters().get(EndpointCounter.SEAL_REFUSED);
    }

    @Test
    void shouldSayWhatIsWrongInTheFile() throws IOException
    {
        final String wrong = assertThrows(ConfigException.class, () -> EndpointConfigReader.read(file("a", 1, 2,
            "names = \"10.9.0.1\"\nclients = 1000\n", "seal-key = \"12\"\n"))).getMessage();
        assertTrue(wrong.contains("names") && wrong.contains("write it as 10.9.0.1:3423"), wrong);
        assertTrue(wrong.contains("clients"), wrong);
        assertTrue(wrong.contains("seal-key") && wrong.contains("32 or 64 hexadecimal digits"), wrong);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")))
        {
            final String message = assertThrows(UserException.class, () -> Endpoint.open(
                EndpointConfigReader.read(
                    file("a", 1, 2, "names = \"127.0.0.1:" + taken.getLocalPort() + "\"\n", "")),
                ChannelListener.NONE)).getMessage();
            assertTrue(message.contains("cannot serve names on 127.0.0.1:"), message);
        }
        assertFalse(Files.exists(Path.of("/dev/shm/fibnuma-" + prefix + "a")));
    }

    private Endpoint start(
        final String name, final int id, final int peer, final String endpointKeys, final String peerKeys)
        throws Exception
    {
        final Endpoint endpoint = Endpoint.open(
            EndpointConfigReader.read(file(name, id, peer, endpointKeys, peerKeys)), ChannelListener.NONE);
        final boolean[] stopped = new boolean[1];
        final Thread thread = new Thread(() ->
        {
            endpoint.start();
            while (!Thread.interrupted() && !stopped[0])
            {
                if (endpoint.agent().doWork() == 0)
                {
                    LockSupport.parkNanos(20_000);
                }
            }
            endpoint.close();
        });
        thread.start();
        open.add(() ->
        {
            stopped[0] = true;
            thread.interrupt();
            thread.join(TimeUnit.SECONDS.toMillis(5));
        });
        return endpoint;
    }

    private Path file(
        final String name, final int id, final int peer, final String endpointKeys, final String peerKeys)
        throws IOException
    {
        return Files.writeString(directory.resolve(name + ".toml"),
            "[endpoint]\nname = \"" + prefix + name + "\"\n" +
                "device = \"" + device + prefix + (name.equals("a") ? "" : "@far") + "\"\n" +
                "address = \"10.9.0." + id + "/24\"\n" + endpointKeys +
                "[[peer]]\nid = " + peer + "\naddress = \"10.9.0." + peer + "\"\n" + peerKeys +
                "[[region]]\nname = \"box\"\nsize-kib = 64\nallow = [\"10.9.0.0/24\"]\n" +
                "access = \"write+read+atomic\"\nkey = \"" + (peerKeys.isEmpty() && !endpointKeys.isEmpty() ?
                "random" : "none") + "\"\n");
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0))
        {
            return socket.getLocalPort();
        }
    }

    private static void await(final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - end < 0, "waited for 60 s in vain");
            LockSupport.parkNanos(1_000_000);
        }
    }
}
