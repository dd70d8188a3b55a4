// SPDX-License-Identifier: Apache-2.0
package java.lang.foreign;

/**
 * What {@link io.github.rdma4j.verbs.SegmentMemory} calls of the JDK's interface, so that a compiler for JDK 17, which has no
 * such interface, can compile that class. No jar contains this file: at run time the interface is the JDK's own. See
 * docs/adr/0033.
 */
public interface MemorySegment {
    long address();

    long byteSize();

    boolean isNative();

    boolean isReadOnly();

    boolean isAccessibleBy(Thread thread);

    Scope scope();

    /** Whoever decides how long the memory stays. */
    interface Scope {
        boolean isAlive();
    }
}
