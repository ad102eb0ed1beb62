package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.agent.Termination;
import org.fibnuma.core.port.pcap.PcapngWriter;
import org.fibnuma.fibnic.capture.CaptureReceiver;
import org.fibnuma.fibnic.capture.CaptureSettings;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Writes frames of a running router into a pcapng file. */
@Command(
    name = "capture",
    mixinStandardHelpOptions = true,
    description = {
        "Writes the frames that a running router receives and sends into a pcapng file, until Ctrl-C.",
        "The file has an interface for each port, the direction of each frame, and the reason of a drop as a comment.",
        "If this command is too slow, or the disk is full, captured frames are lost and counted. Forwarding is not " +
            "affected.",
        "A router makes one capture at a time.",
        "Frames that the kernel receives without the router, such as ARP on an xdp: port, are not captured.",
        "Exit status: 0 ended as asked, 1 the file or the router ended it, 2 wrong usage."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma capture --port left --drops -w left.pcapng",
        "  fibnuma capture --filter 'udp and dst net 192.0.2.0/24' --count 10 -w - | tshark -r -"
    })
final class CaptureCommand extends RecordQuery
{
    private static final String STANDARD_OUTPUT = "-";

    enum Direction
    {
        IN, OUT, BOTH, NONE
    }

    @Option(
        names = "--direction", defaultValue = "BOTH", paramLabel = "in|out|both|none",
        description = "Frames that the ports receive (in), send (out), or both (default: both). With none and " +
            "--drops only dropped frames are captured.")
    private Direction direction;

    @Option(
        names = "--drops",
        description = "Also capture the dropped frames of these ports, in their state at the drop, with the reason " +
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
            endAsAsked(client, termination, seconds);
            final boolean isComplete = receive(client, writer, receiver);
            receiver.addStatistics();
            writer.flush();
            final int status = report(writer, receiver, isComplete);
            out().flush();
            return status;
        }
    }

    private ObjectNode request()
    {
        final ObjectNode request = ControlProtocol.request("capture")
            .put("received", direction == Direction.IN || direction == Direction.BOTH)
            .put("sent", direction == Direction.OUT || direction == Direction.BOTH)
            .put("dropped", drops)
            .put("snap-length", snapLength);
        addPortsAndFilter(request, filter);
        return request;
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
        final Map<Integer, String> names = portNames(answer);
        say("capturing at " + String.join(", ", names.values()) + "; Ctrl-C ends it");
        return new CaptureReceiver(
            writer, names, texts(answer.path("reasons")), snapLength, count == null ? Long.MAX_VALUE : count);
    }

    /** Writes frames up to the last one; returns false if the router ended before it. */
    private static boolean receive(
        final ControlClient client, final PcapngWriter writer, final CaptureReceiver receiver) throws IOException
    {
        return receive(client, receiver, () ->
        {
            writer.flush();
            return receiver.isFull() || writer.problem() != null;
        });
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
}
