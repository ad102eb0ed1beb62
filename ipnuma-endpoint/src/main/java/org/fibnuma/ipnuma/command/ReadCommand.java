package org.fibnuma.ipnuma.command;

import org.agrona.DirectBuffer;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Reads bytes from a peer. */
@Command(
    name = "read",
    mixinStandardHelpOptions = true,
    description = "Reads bytes of a region of a peer, through a running endpoint of this machine, and prints them.",
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma ipnuma read --name a --peer 2 --region 1 --offset 64 --length 5 --as text",
        "  fibnuma ipnuma read --name a --peer 2 --region box --names 127.0.0.1:3423 --length 8 --as long"
    })
final class ReadCommand implements Callable<Integer>
{
    private static final long KEY_CORRELATION = 1;
    private static final long READ_CORRELATION = 2;
    private static final String HEX = "hex";
    private static final String TEXT = "text";
    private static final String INT = "int";
    private static final String LONG = "long";
    private static final List<String> FORMS = List.of(HEX, TEXT, INT, LONG);

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private RemoteOptions options;

    @Option(
        names = "--length", defaultValue = "4", paramLabel = "BYTES",
        description = "Number of bytes, up to " + ClientMessage.MAX_DATA_LENGTH + " (default: ${DEFAULT-VALUE}).")
    private int length;

    @Option(
        names = "--as", defaultValue = HEX, paramLabel = "WHAT",
        description = "hex, text, int (4 bytes) or long (8 bytes) (default: ${DEFAULT-VALUE}).")
    private String form;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    private byte[] bytes;
    private int status;

    @Override
    public Integer call()
    {
        if (!FORMS.contains(form))
        {
            throw options.usage("--as must be one of " + String.join(", ", FORMS) + ": " + form);
        }
        length = form.equals(INT) ? Integer.BYTES : form.equals(LONG) ? Long.BYTES : length;
        if (length < 1 || length > ClientMessage.MAX_DATA_LENGTH)
        {
            throw options.usage("--length must be 1 to " + ClientMessage.MAX_DATA_LENGTH + ": " + length);
        }
        options.resolve();
        try (EndpointClient client = EndpointClient.connect(options.endpoint(), new Loaded()))
        {
            options.sendKey(client, KEY_CORRELATION);
            options.await(client, () -> client.tryRead(options.target(0), length, READ_CORRELATION),
                "the endpoint accepts no request");
            options.await(client, () -> client.tryFlush(options.peer(), 0), "the endpoint accepts no request");
            options.await(client, () -> bytes != null, "peer " + options.peer() + " does not answer");
        }
        if (status != ClientStatus.OK)
        {
            throw new UserException("not read: " + ClientStatus.label(status));
        }
        print();
        return IpnumaCommand.OK;
    }

    private void print()
    {
        if (json)
        {
            final Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("peer", options.peer());
            answer.put("length", length);
            answer.put(HEX, HexFormat.of().formatHex(bytes));
            if (!form.equals(HEX))
            {
                answer.put("value", value());
            }
            IpnumaCommand.printJson(spec, answer);
            return;
        }
        spec.commandLine().getOut().println(value());
        spec.commandLine().getOut().flush();
    }

    /** Returns the bytes in the form of {@code --as}: a text, or a number for int and long. */
    private Object value()
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        return switch (form)
        {
            case TEXT -> new String(bytes, StandardCharsets.UTF_8);
            case INT -> (Object)buffer.getInt();
            case LONG -> (Object)buffer.getLong();
            default -> HexFormat.of().formatHex(bytes);
        };
    }

    private final class Loaded implements AnswerListener
    {
        @Override
        public void onRead(
            final long correlation,
            final int answerStatus,
            final DirectBuffer buffer,
            final int offset,
            final int answerLength)
        {
            if (correlation == READ_CORRELATION)
            {
                status = answerStatus;
                bytes = new byte[length];
                buffer.getBytes(offset, bytes, 0, Math.min(length, answerLength));
            }
        }
    }
}
