// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that every {@code static final} number of this class is a C constant in one of the headers, with the same
 * name after {@link #prefix()} unless {@link CName} gives another.
 *
 * <p>On an enum: every constant mirrors a C constant, whose name is {@link #prefix()} and the name of the Java
 * constant, and {@code code()} or {@code mask()} of the enum is its value. A constant {@code UNKNOWN} with a negative
 * code stands for numbers without a name and mirrors nothing.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface KernelConstants {
    /** The headers that a C program has to include to see the constants. */
    String[] value();

    /** The prefix of the C names, for example {@code IBV_QPS_}. */
    String prefix() default "";

    /**
     * The kernel release that added the constants, for example {@code 6.18}, if newer than the oldest headers that
     * rdma4j is built with; empty otherwise. Older headers cannot check the constants.
     */
    String since() default "";
}
