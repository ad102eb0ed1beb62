package org.fibnuma.core.ring;

/** Separates the producer's fields from the preceding object. */
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

/** Fields that only the producer thread accesses. */
abstract class DescriptorRingProducerPosition extends DescriptorRingLhsPadding
{
    long tail;
    long headCopy;
}

/** Separates the fields of the two threads by two cache lines, because the processor prefetches lines in pairs. */
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

/** Fields that only the consumer thread accesses. */
abstract class DescriptorRingConsumerPosition extends DescriptorRingMiddlePadding
{
    long head;
    long tailCopy;
    long skips;
}

/**
 * The private positions of both threads of a {@link DescriptorRing}, on separate cache lines, because each thread
 * stores its position in every duty cycle. The JVM may reorder the fields of one class, but places them after those of
 * its superclass.
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
