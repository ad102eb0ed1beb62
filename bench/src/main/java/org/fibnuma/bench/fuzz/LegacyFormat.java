package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.TlpTarget;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.TlpType;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.util.SplittableRandom;

/** One of the formats without retransmission. It receives the datagrams and checks its own answers. */
final class LegacyFormat implements FuzzFormat, TlpTarget.AnswerOutput, TlpTarget.Listener
{
    private static final int MAX_TLP = Mutator.MAX_LENGTH - 6;
    /** Largest number of answers: completions of one read of 4,096 bytes, each of up to 1,408 bytes. */
    private static final int MAX_ANSWERS = 4;

    private final FuzzTally tally = new FuzzTally();
    private final WireFormat format;
    private final DatagramCodec codec;
    private final LegacySource source;
    private final TlpTarget target;
    private final MemoryRegion room = MemoryRegion.ofBytes(2048);
    private final TlpFlyweight tlp = new TlpFlyweight();
    private int answers;
    private int answerBytes;
    private int dataAnswers;
    private int admitted;
    private int dataWanted;
    private boolean leaked;
    private int sourceIpv4;

    LegacyFormat(
        final WireFormat format, final DatagramCodec codec, final RegionTable regions, final SplittableRandom random)
    {
        this.format = format;
        this.codec = codec;
        source = new LegacySource(codec, random);
        target = new TlpTarget(regions, this, this, MAX_TLP);
    }

    @Override
    public String label()
    {
        return format.label();
    }

    @Override
    public boolean hasKeys()
    {
        return false;
    }

    @Override
    public void begin(final int ipv4)
    {
        sourceIpv4 = ipv4;
    }

    @Override
    public String attack(final long payload, final Mutator mutator)
    {
        final int length = mutator.mutate(payload, source.next(payload));
        tally.lastLength = length;
        answers = 0;
        answerBytes = 0;
        dataAnswers = 0;
        admitted = 0;
        dataWanted = 0;
        leaked = false;
        if (codec.decode(payload, length, target.from(sourceIpv4)) < 0)
        {
            tally.refused++;
        }
        return verdict(length);
    }

    private String verdict(final int length)
    {
        if (leaked)
        {
            return "an answer contains bytes that no peer may read";
        }
        if (answers > 0 && admitted > 0 && sourceIpv4 != FuzzArena.KNOWN_SOURCE)
        {
            return "an unknown source was accepted";
        }
        if (dataAnswers > 0 && admitted == 0)
        {
            return "an answer contains data although the request was refused";
        }
        if (dataAnswers == 0 && (answers > 1 || answerBytes > length))
        {
            return answers + " refusals with " + answerBytes + " bytes in answer to a datagram of " + length + " bytes";
        }
        if (answers > MAX_ANSWERS || answerBytes > dataWanted + answers * (TlpFlyweight.LENGTH_3DW + 2 * 3))
        {
            return answers + " answers with " + answerBytes + " bytes to requests of " + dataWanted + " bytes";
        }
        return null;
    }

    @Override
    public long claim(final int tlpLength)
    {
        return room.address();
    }

    @Override
    public void commit(final int tlpLength)
    {
        answers++;
        answerBytes += tlpLength;
        leaked |= FuzzArena.isLeak(room.address(), tlpLength);
        if (tlp.wrap(room.address()).type() == TlpType.COMPLETION_DATA)
        {
            dataAnswers++;
        }
    }

    @Override
    public void onAccess(final int status, final long remoteAddress, final int length)
    {
        if (status == AccessStatus.OK)
        {
            tally.taken++;
            admitted++;
            dataWanted += Math.max(1, length);
        }
        else
        {
            tally.refused++;
        }
    }

    @Override
    public void onCompletion(
        final int tag, final int status, final int remaining, final long dataAddress, final int length)
    {
        // This receiver sends no requests.
    }

    @Override
    public FuzzTally tally()
    {
        return tally;
    }

    @Override
    public void close()
    {
        source.close();
        room.close();
    }
}
