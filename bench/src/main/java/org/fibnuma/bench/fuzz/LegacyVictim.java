package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.TlpTarget;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.TlpType;

/** Receiver of a format without retransmission; it checks its own answers. */
final class LegacyVictim implements TlpTarget.AnswerOutput, TlpTarget.Listener, AutoCloseable
{
    private static final int MAX_TLP = Mutator.MAX_LENGTH - 6;
    /** Largest number of answers: completions of one read of 4,096 bytes, each of up to 1,408 bytes. */
    private static final int MAX_ANSWERS = 4;

    private final DatagramCodec codec;
    private final FuzzTally tally;
    private final TlpTarget target;
    private final MemoryRegion room = MemoryRegion.ofBytes(2048);
    private final TlpFlyweight tlp = new TlpFlyweight();
    private int answers;
    private int answerBytes;
    private int dataAnswers;
    private int admitted;
    private int dataWanted;
    private boolean leaked;

    LegacyVictim(final DatagramCodec codec, final RegionTable regions, final FuzzTally tally)
    {
        this.codec = codec;
        this.tally = tally;
        this.target = new TlpTarget(regions, this, this, MAX_TLP);
    }

    /** Returns null, or what was wrong with the answers. */
    String receive(final long payload, final int length, final int sourceIpv4)
    {
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
        return verdict(length, sourceIpv4);
    }

    private String verdict(final int length, final int sourceIpv4)
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
    public void close()
    {
        room.close();
    }
}
