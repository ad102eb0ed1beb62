package org.fibnuma.core.ring;

/** Keeps what lies before an object away from the producer's numbers. */
abstract class DescriptorRingLhsPadding
{
    long a00;
    long a01;
    long a02;
    long a03;
    long a04;
    long a05;
    long a06;
    long a07;
    long a08;
    long a09;
    long a10;
    long a11;
    long a12;
    long a13;
    long a14;
}

/** What the producer alone reads and writes. */
abstract class DescriptorRingProducerPosition extends DescriptorRingLhsPadding
{
    long tail;
    long headCopy;
}

/** Keeps the two threads' numbers apart, by two cache lines since the processor fetches them in pairs. */
abstract class DescriptorRingMiddlePadding extends DescriptorRingProducerPosition
{
    long b00;
    long b01;
    long b02;
    long b03;
    long b04;
    long b05;
    long b06;
    long b07;
    long b08;
    long b09;
    long b10;
    long b11;
    long b12;
    long b13;
    long b14;
}

/** What the consumer alone reads and writes. */
abstract class DescriptorRingConsumerPosition extends DescriptorRingMiddlePadding
{
    long head;
    long tailCopy;
    long skips;
}

/**
 * The private positions of both sides of a {@link DescriptorRing}, each with cache lines of its own: at every turn each
 * thread stores its own, and in one line they would wait for each other. Superclasses, because the JVM lays out the
 * fields of one class as it likes, but never before those of its superclass.
 */
abstract class DescriptorRingPositions extends DescriptorRingConsumerPosition
{
    long c00;
    long c01;
    long c02;
    long c03;
    long c04;
    long c05;
    long c06;
    long c07;
    long c08;
    long c09;
    long c10;
    long c11;
    long c12;
    long c13;
    long c14;
}
