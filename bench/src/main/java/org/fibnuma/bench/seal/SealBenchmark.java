package org.fibnuma.bench.seal;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.seal.SealKey;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;

/** Sealing one datagram with AES-128-GCM; run it with {@code -prof gc} to see what is allocated. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class SealBenchmark
{
    private static final int TAG_BITS = 128;
    private static final int NONCE_LENGTH = 12;

    /** Of the datagram before it is sealed: one small write, and the longest. */
    @Param({"96", "1448"})
    public int length;

    private final byte[] aad = new byte[DatagramSeal.ASSOCIATED_LENGTH];
    private final byte[] nonce = new byte[NONCE_LENGTH];
    private final SecretKeySpec secret = new SecretKeySpec(new byte[16], "AES");
    private MemoryRegion memory;
    private DatagramSeal sender;
    private DatagramSeal receiver;
    private Cipher jvm;
    private byte[] text;
    private byte[] sealed;
    private long counter;

    /**
     * Keys, which are not measured.
     *
     * @throws GeneralSecurityException where the JVM has no GCM.
     */
    @Setup
    public void prepare() throws GeneralSecurityException
    {
        memory = MemoryRegion.ofBytes(4096);
        final SealKey key = SealKey.parse("0".repeat(32));
        sender = new DatagramSeal(key, 1, 2, 1);
        receiver = new DatagramSeal(key, 2, 1, 1);
        jvm = Cipher.getInstance("AES/GCM/NoPadding");
        text = new byte[length - DatagramSeal.ASSOCIATED_LENGTH];
        sealed = new byte[text.length + TAG_BITS / Byte.SIZE];
    }

    /** Gives the memory back. */
    @TearDown
    public void close()
    {
        memory.close();
    }

    /**
     * Sealed where it lies.
     *
     * @return the sealed length.
     */
    @Benchmark
    public int seal()
    {
        return sender.seal(memory.address(), length);
    }

    /**
     * Sealed, then opened: a datagram can be opened once only.
     *
     * @return the opened length.
     */
    @Benchmark
    public int sealAndOpen()
    {
        final int opened = receiver.open(memory.address(), sender.seal(memory.address(), length));
        if (opened != length)
        {
            throw new IllegalStateException("not opened: " + opened);
        }
        return opened;
    }

    /**
     * The JVM's GCM with the copies that native memory needs.
     *
     * @return the sealed length.
     * @throws GeneralSecurityException never.
     */
    @Benchmark
    public int jvmSeal() throws GeneralSecurityException
    {
        ByteBuffer.wrap(nonce).putLong(Integer.BYTES, ++counter);
        FrameMemory.getBytes(memory.address(), aad);
        FrameMemory.getBytes(memory.address() + aad.length, text);
        jvm.init(Cipher.ENCRYPT_MODE, secret, new GCMParameterSpec(TAG_BITS, nonce));
        jvm.updateAAD(aad);
        final int bytes = jvm.doFinal(text, 0, text.length, sealed);
        FrameMemory.putBytes(memory.address() + aad.length, sealed);
        return bytes;
    }
}
