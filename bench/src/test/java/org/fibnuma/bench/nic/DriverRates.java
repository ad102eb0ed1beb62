package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.nic.GuestNic.Model;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.host.Machine;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the router in zero copy and in native copy, and the kernel's forwarding, in turn on the same cards of a
 * guest under the same offered rate. Prints JSON, also into {@code bench/target/driver-rates.json}, and asserts nothing
 * about rates. The README of bench has the command; neither Surefire nor Failsafe runs this class unless it is named.
 */
class DriverRates
{
    private static final int ROUNDS = Integer.getInteger("fibnuma.nic.rounds", 5);
    private static final int SECONDS = Integer.getInteger("fibnuma.nic.seconds", 4);
    private static final int OFFERED = Integer.getInteger("fibnuma.nic.offered", 100_000);
    /** A program in a host may run for a minute. */
    private static final int MOST_SECONDS = 50;
    /** Until the guest has translated the code that forwards, and the JIT has compiled it. */
    private static final int WARM_UP_SECONDS = 4;
    /** No packet arrives for this long after a stream that has ended; ARP is rarer. */
    private static final long QUIET_NS = Duration.ofMillis(500).toNanos();
    private static final List<String> CARDS = List.of("igb", "virtio");
    private static final List<Integer> FRAME_SIZES = List.of(60, 1400);
    /** The route back to the senders: the receiver answers none of their packets. */
    private static final String SOURCES = "198.18.0.0/15";

    /** What forwards between the cards. */
    private enum Forwarder
    {
        ZERO_COPY("zeroCopy", "", "zero-copy, native"),
        COPY("copy", "zero-copy = false", "copy, native"),
        KERNEL("kernel", null, null);

        private final String field;
        private final String settings;
        private final String mode;

        Forwarder(final String field, final String settings, final String mode)
        {
            this.field = field;
            this.settings = settings;
            this.mode = mode;
        }
    }

    private Guest guest;
    /** Open as long as the guest, whose tap devices they have. */
    private final List<Host> hosts = new ArrayList<>();
    private Path script;
    private Host left;
    private Host right;
    private String cards;
    /** Packets a second of each round, by the frame size in bytes. */
    private final Map<Integer, Rounds<Forwarder>> rates = new LinkedHashMap<>();
    /** What the sender offered in each measurement, in packets a second. */
    private final List<Double> offered = new ArrayList<>();
    private final Map<Forwarder, String> leftOut = new EnumMap<>(Forwarder.class);

    @Test
    void shouldPrintRatesOfEachCard() throws IOException
    {
        if (ROUNDS < 1 || SECONDS < 1 || SECONDS > MOST_SECONDS || OFFERED < 1)
        {
            throw new UserException("fibnuma.nic.rounds and fibnuma.nic.offered must be 1 or more, " +
                "fibnuma.nic.seconds 1 to " + MOST_SECONDS);
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        script = GuestStream.script();
        try (Guest machine = Guest.boot(
            new GuestNic("igb0", Model.IGB, 1), new GuestNic("igb1", Model.IGB, 1),
            new GuestNic("virtio0", Model.VIRTIO, 1), new GuestNic("virtio1", Model.VIRTIO, 1)))
        {
            guest = machine;
            for (final String tried : CARDS)
            {
                cards = tried;
                result.put(tried, measureCards());
            }
            result.put("guestKernel", guest.run("uname -r").trim());
        }
        finally
        {
            hosts.forEach(Host::close);
            Files.delete(script);
        }
        result.put("rounds", ROUNDS);
        result.put("seconds", SECONDS);
        result.put("wantedPacketsPerSecond", OFFERED);
        result.put("offeredPacketsPerSecond", Math.round(Rounds.median(offered)));
        result.put("leastOfferedPacketsPerSecond", Math.round(Collections.min(offered)));
        result.put("machine", Machine.facts());
        final String json =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result);
        Files.writeString(Require.projectDirectory().resolve("bench/target/driver-rates.json"), json + "\n");
        System.out.println(json);
    }

    private List<Map<String, Object>> measureCards() throws IOException
    {
        rates.clear();
        leftOut.clear();
        left = open("left", cards + "0", "10.0.0.");
        right = open("right", cards + "1", "10.0.1.");
        right.run("ip", "route", "add", "blackhole", SOURCES);
        for (int round = 1; round <= ROUNDS; round++)
        {
            for (final Forwarder forwarder : Forwarder.values())
            {
                measure(forwarder, round);
            }
        }
        guest.run("ip address flush dev " + cards + "0; ip address flush dev " + cards + "1");
        final List<Map<String, Object>> results = new ArrayList<>();
        rates.forEach((frameSize, ofSize) -> results.add(summary(frameSize, ofSize)));
        return results;
    }

    private Host open(final String side, final String card, final String network)
    {
        final Host host = Host.open(side + "-" + cards);
        hosts.add(host);
        GuestTraffic.connect(guest, card, host, network);
        guest.run("ip link set " + card + " up && ip address add " + network + "1/24 dev " + card);
        return host;
    }

    /** Measures a forwarder at every frame size; one that does not get its mode is left out from then on. */
    private void measure(final Forwarder forwarder, final int round) throws IOException
    {
        if (leftOut.containsKey(forwarder))
        {
            return;
        }
        final GuestProcess router = forwarder == Forwarder.KERNEL ? null : guest.startRouter(String.join("\n",
            "[router]", "cores = []", "workers = 1", forwarder.settings,
            "[[port]]", "name = \"left\"", "device = \"xdp:" + cards + "0\"",
            "[[port]]", "name = \"right\"", "device = \"xdp:" + cards + "1\"", ""));
        try
        {
            final List<String> modes = router == null ? List.of() : router.output().stream()
                .filter(line -> line.contains("xdp:" + cards) || line.contains(": no ")).toList();
            if (router != null && modes.stream().noneMatch(line -> line.contains("0, " + forwarder.mode)))
            {
                leftOut.put(forwarder, String.join("; ", modes));
                System.err.println(cards + ", " + forwarder.field + ": left out: " + leftOut.get(forwarder));
                return;
            }
            GuestTraffic.awaitPing(left, "10.0.1.2", " ttl=63 ");
            for (final int frameSize : FRAME_SIZES)
            {
                final double rate = rate(frameSize);
                rates.computeIfAbsent(frameSize, key -> new Rounds<>()).add(forwarder, rate);
                System.err.printf("%s, round %d, %d bytes: %s %.0f packets/s%n",
                    cards, round, frameSize, forwarder.field, rate);
            }
        }
        finally
        {
            if (router != null)
            {
                router.signal("TERM");
                router.awaitExit(Guest.PATIENCE);
            }
        }
    }

    /** Returns the packets that arrive, divided by the seconds of the stream. */
    private double rate(final int frameSize) throws IOException
    {
        send(frameSize, WARM_UP_SECONDS);
        final long before = right.receivedFrames("h0");
        final JsonNode sent = send(frameSize, SECONDS);
        final long arrived = right.receivedFrames("h0") - before;
        if (arrived == 0)
        {
            throw new UserException(cards + ": of " + sent + " no packet arrives");
        }
        offered.add(sent.get("offered").asLong() / sent.get("seconds").asDouble());
        return arrived / sent.get("seconds").asDouble();
    }

    /** Sends a stream and waits until its last packets have arrived. */
    private JsonNode send(final int frameSize, final int seconds) throws IOException
    {
        final JsonNode sent = new ObjectMapper().readTree(left.run("/usr/bin/python3", script.toString(), "h0",
            "10.0.1.2", guest.macAddress(cards + "0"), Integer.toString(frameSize), Integer.toString(OFFERED),
            Integer.toString(seconds)));
        long seen = right.receivedFrames("h0");
        long earlier = -1;
        while (seen != earlier)
        {
            LockSupport.parkNanos(QUIET_NS);
            earlier = seen;
            seen = right.receivedFrames("h0");
        }
        return sent;
    }

    private Map<String, Object> summary(final int frameSize, final Rounds<Forwarder> ofSize)
    {
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("frameSize", frameSize);
        for (final Forwarder forwarder : Forwarder.values())
        {
            final Double median = ofSize.median(forwarder);
            result.put(forwarder.field + "PacketsPerSecond", median == null ? null : Math.round(median));
        }
        result.put("zeroCopyTimesCopy", Rounds.rounded(ofSize.ratio(Forwarder.ZERO_COPY, Forwarder.COPY), 2));
        result.put("zeroCopyTimesKernel", Rounds.rounded(ofSize.ratio(Forwarder.ZERO_COPY, Forwarder.KERNEL), 2));
        result.put("copyTimesKernel", Rounds.rounded(ofSize.ratio(Forwarder.COPY, Forwarder.KERNEL), 2));
        leftOut.forEach((forwarder, reason) -> result.put(forwarder.field + "LeftOut", reason));
        ofSize.contestants().forEach(forwarder -> result.put(
            forwarder.field + "Rounds", ofSize.of(forwarder).stream().map(Math::round).toList()));
        return result;
    }
}
