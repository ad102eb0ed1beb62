package org.fibnuma.ipnuma.wire;

/** Base of the formats that contain one TLP after a header of fixed length. */
abstract class SingleTlpCodec implements DatagramCodec
{
    private final int tlpOffset;
    private final TlpEncoder encoder = new TlpEncoder();

    SingleTlpCodec(final int tlpOffset)
    {
        this.tlpOffset = tlpOffset;
    }

    @Override
    public final boolean hasAnswers()
    {
        return true;
    }

    @Override
    public final int writeLength(final long remoteAddress, final int length, final int maxPayload)
    {
        return TlpEncoder.nextLength(remoteAddress, length, maxPayload - tlpOffset - TlpFlyweight.LENGTH_4DW);
    }

    @Override
    public final int encodeWrite(
        final long payload, final long remoteAddress, final long dataAddress, final int length)
    {
        return wrapTlp(payload, encoder.write(tlpAddress(payload), remoteAddress, dataAddress, length, 0, 0));
    }

    @Override
    public final int encodeRead(final long payload, final long remoteAddress, final int length, final int tag)
    {
        return wrapTlp(payload, encoder.read(tlpAddress(payload), remoteAddress, length, 0, tag));
    }

    @Override
    public final long tlpAddress(final long payload)
    {
        return payload + tlpOffset;
    }
}
