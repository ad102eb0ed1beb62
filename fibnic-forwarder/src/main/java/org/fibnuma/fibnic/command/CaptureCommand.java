package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.Termination;
import org.fibnuma.core.filter.FilterCompiler;
import org.fibnuma.core.port.pcap.PcapngWriter;
import org.fibnuma.fibnic.capture.CaptureReceiver;
import org.fibnuma.fibnic.capture.CaptureSettings;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Writes frames of a running router into a pcapng file. */
@Command(
    name = "capture",
    mixinStandardHelpOptions = true,
    description = {
        "Writes the frames that a running router receives and sends into a pcapng file, until Ctrl-C.",
        "The file has an interface for each port, the direction of each frame, and the reason of a drop as a comment.",
        "If this command is too slow, or the disk is full, captured frames are lost and counted, but the router",
        "forwards on. A router makes one capture at a time.",
        "Frames that the kernel receives without the router, such as ARP on an xdp: port, are not captured.",
        "Exit status: 0 ended as asked, 1 the file or the router ended it, 2 wrong usage."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma capture --port left --drops -w left.pcapng",
        "  fibnuma capture --filter 'udp and dst net 192.0.2.0/24' --count 10 -w - | tshark -r -"
    })
final class CaptureCommand extends RouterQuery
{
    private static final String STANDARD_OUTPUT = "-";
    private static final int RECEIVE_BYTES = 1 << 20;
    /** Interval of the checks whether the capture is to end. */
    private static final long CHECK_MS = 100;

    /** What frames do at a port, for {@code --direction}. */
    enum Direction
    {
        IN, OUT, BOTH, NONE
    }

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--port", split = ",", paramLabel = "PORT",
        description = "Ports to capture at; several are separated by commas (default: all).")
    private List<String> ports = List.of();

    @Option(
        names = "--direction", defaultValue = "BOTH", paramLabel = "in|out|both|none",
        description = "Frames that the ports receive (in), send (out), or both (default: both). With none and " +
            "--drops only dropped frames are captured.")
    private Direction direction;

    @Option(
        names = "--drops",
        description = "Capture frames of these ports also when they are dropped, as they are then, with the reason " +
            "as a comment.")
    private boolean drops;

    @Option(
        names = "--filter", paramLabel = "EXPRESSION",
        description = "Only frames that match an expression of pcap-filter(7); needs libpcap (apt-get install " +
            "libpcap0.8).")
    private String filter;

    @Option(names = "--count", paramLabel = "N", description = "End after N frames.")
    private Long count;

    @Option(names = "--seconds", paramLabel = "N", description = "End after N seconds.")
    private Long seconds;

    @Option(
        names = "--snaplen", paramLabel = "N",
        description = "Keep at most N bytes of each frame (default: whole frames).")
    private int snapLength = CaptureSettings.MAX_SNAP_LENGTH;

    @Option(
        names = "-w", required = true, paramLabel = "FILE",
        description = "File to write, or - for standard output; an existing one is overwritten.")
    private String file;

    @Override
    int ask(final ControlClient client) throws IOException
    {
        refuse(count != null && count < 1, "--count: give 1 or more");
        refuse(seconds != null && seconds < 1, "--seconds: give 1 or more");
        refuse(snapLength < 1 || snapLength > CaptureSettings.MAX_SNAP_LENGTH,
            "--snaplen: give 1 to " + CaptureSettings.MAX_SNAP_LENGTH + " bytes");
        refuse(direction == Direction.NONE && !drops, "--direction none needs --drops: else there is nothing to do");
        refuse(isJson() && file.equals(STANDARD_OUTPUT), "--json and -w - both write to standard output");
        final JsonNode answer = client.ask(request());
        try (PcapngWriter writer = open(); Termination termination = new Termination())
        {
            final CaptureReceiver receiver = receiver(writer, answer);
            endAsAsked(client, termination);
            final boolean isComplete = receive(client, writer, receiver);
            receiver.addStatistics();
            writer.flush();
            final int status = report(writer, receiver, isComplete);
            out().flush();
            return status;
        }
    }

    private void refuse(final boolean isWrong, final String why)
    {
        if (isWrong)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), why);
        }
    }

    private ObjectNode request()
    {
        final ObjectNode request = ControlProtocol.request("capture")
            .put("received", direction == Direction.IN || direction == Direction.BOTH)
            .put("sent", direction == Direction.OUT || direction == Direction.BOTH)
            .put("dropped", drops)
            .put("snap-length", snapLength);
        if (!ports.isEmpty())
        {
            final ArrayNode names = request.putArray("ports");
            ports.forEach(names::add);
        }
        if (filter != null)
        {
            request.put("filter", compiler().compile(filter).toString());
        }
        return request;
    }

    private static FilterCompiler compiler()
    {
        return ServiceLoader.load(FilterCompiler.class).findFirst().orElseThrow(
            () -> new UserException("a filter needs the dpdk-binding module on the class path"));
    }

    private PcapngWriter open()
    {
        final String application = "fibnuma capture";
        return file.equals(STANDARD_OUTPUT) ?
            PcapngWriter.to(
                "standard output", new FileOutputStream(FileDescriptor.out).getChannel(), application) :
            PcapngWriter.create(Path.of(file), application);
    }

    private CaptureReceiver receiver(final PcapngWriter writer, final JsonNode answer)
    {
        final Map<Integer, String> names = new TreeMap<>();
        answer.path("ports").forEach(port -> names.put(port.path("index").asInt(), port.path("port").asText()));
        final List<String> reasons = new ArrayList<>();
        answer.path("reasons").forEach(reason -> reasons.add(reason.asText()));
        say("capturing at " + String.join(", ", names.values()) + "; Ctrl-C ends it");
        return new CaptureReceiver(writer, names, reasons, snapLength, count == null ? Long.MAX_VALUE : count);
    }

    /** Starts a thread that asks the router for the end after the given time or a signal. */
    private void endAsAsked(final ControlClient client, final Termination termination)
    {
        final long endNs = seconds == null ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(seconds);
        final long startNs = System.nanoTime();
        final Thread thread = new Thread(() ->
        {
            try
            {
                while (!termination.await(CHECK_MS) && System.nanoTime() - startNs < endNs)
                {
                    continue;
                }
                stop(client);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }, "capture-end");
        thread.setDaemon(true);
        thread.start();
    }

    private static void stop(final ControlClient client)
    {
        client.tell(ControlProtocol.request("stop"));
    }

    /** Writes frames until the last one, and returns false if the router ended before it. */
    private static boolean receive(
        final ControlClient client, final PcapngWriter writer, final CaptureReceiver receiver) throws IOException
    {
        final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_BYTES);
        boolean isStopped = false;
        while (client.read(received) > 0)
        {
            received.flip();
            final boolean isLast = !receiver.receive(received);
            received.compact();
            writer.flush();
            if (isLast)
            {
                return true;
            }
            if (!isStopped && (receiver.isFull() || writer.problem() != null))
            {
                isStopped = true;
                stop(client);
            }
        }
        return false;
    }

    private int report(final PcapngWriter writer, final CaptureReceiver receiver, final boolean isComplete)
    {
        final String counts = "frames captured: " + writer.frames() + ", lost: " + receiver.lost();
        if (isJson())
        {
            print(ControlProtocol.object().put("frames", writer.frames()).put("lost", receiver.lost()));
        }
        if (writer.problem() != null)
        {
            say(writer.problem() + "; " + counts);
            return FibnumaCommand.FAILED;
        }
        if (!isComplete)
        {
            say("the router has ended; " + counts);
            return FibnumaCommand.FAILED;
        }
        say(counts);
        return FibnumaCommand.OK;
    }

    /** Prints a line that does not mix with the frames on standard output. */
    private void say(final String line)
    {
        spec.commandLine().getErr().println("fibnuma: " + line);
        spec.commandLine().getErr().flush();
    }
}
