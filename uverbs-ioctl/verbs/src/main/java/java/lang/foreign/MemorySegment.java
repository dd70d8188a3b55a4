// SPDX-License-Identifier: Apache-2.0
package java.lang.foreign;

/**
 * The methods of the JDK's interface that {@link io.github.rdma4j.verbs.SegmentMemory} calls, so that a compiler for
 * JDK 17 can compile that class. No jar contains this file: at run time, the interface of the JDK is used. See
 * docs/adr/0033.
 */
public interface MemorySegment {
    long address();

    long byteSize();

    boolean isNative();

    boolean isReadOnly();

    boolean isAccessibleBy(Thread thread);

    Scope scope();

    /** The lifetime of the memory. */
    interface Scope {
        boolean isAlive();
    }
}
