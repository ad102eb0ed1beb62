package org.fibnuma.ipnuma.channel;

import org.fibnuma.ipnuma.wire.IpnumaPorts;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.util.function.IntFunction;

/** The ways out to one peer, one for each UDP port that its format uses. */
final class PortOutputs
{
    private static final int NETTLP_PORTS = IpnumaPorts.NETTLP_TAG_MASK + 1;

    private final boolean isNetTlp;
    private final PeerOutput[] outputs;

    private PortOutputs(final boolean isNetTlp, final PeerOutput... outputs)
    {
        this.isNetTlp = isNetTlp;
        this.outputs = outputs;
    }

    /**
     * The outputs of a format.
     *
     * @param format of the peer.
     * @param byPort makes the output of a port.
     */
    static PortOutputs of(final WireFormat format, final IntFunction<PeerOutput> byPort)
    {
        if (format != WireFormat.NETTLP)
        {
            return new PortOutputs(false, byPort.apply(IpnumaPorts.IPNUMA));
        }
        final PeerOutput[] outputs = new PeerOutput[2 * NETTLP_PORTS];
        for (int i = 0; i < NETTLP_PORTS; i++)
        {
            outputs[i] = byPort.apply(IpnumaPorts.NETTLP_REQUESTER + i);
            outputs[NETTLP_PORTS + i] = byPort.apply(IpnumaPorts.NETTLP_ADAPTER + i);
        }
        return new PortOutputs(true, outputs);
    }

    boolean uses(final int port)
    {
        return isNetTlp ? IpnumaPorts.isNetTlp(port) : port == IpnumaPorts.IPNUMA;
    }

    /** Where requests of ours leave that carry a tag. */
    PeerOutput request(final int tag)
    {
        return isNetTlp ? outputs[tag & IpnumaPorts.NETTLP_TAG_MASK] : outputs[0];
    }

    /** Where answers leave to what came to a port, one of those that are used. */
    PeerOutput answer(final int port)
    {
        if (!isNetTlp)
        {
            return outputs[0];
        }
        final int first = port >= IpnumaPorts.NETTLP_ADAPTER ? NETTLP_PORTS : 0;
        return outputs[first + (port & IpnumaPorts.NETTLP_TAG_MASK)];
    }

    void onStation()
    {
        for (final PeerOutput output : outputs)
        {
            output.onStation();
        }
    }
}
