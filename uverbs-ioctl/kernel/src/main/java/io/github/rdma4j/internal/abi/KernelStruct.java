// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the C struct that this type mirrors.
 *
 * <p>Every {@code static final int} of the type, or of its nested class {@code Layout} if it has one, is the offset of
 * the C member of the same name in lower case ({@code CQ_HANDLE} is {@code cq_handle}), unless {@link CName} says
 * otherwise; {@code BYTES} is the struct's size.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface KernelStruct {
    /** The type as C spells it, for example {@code struct ib_uverbs_reg_mr}. */
    String value();

    /** The declaring header, for example {@code rdma/ib_user_verbs.h}. */
    String header();

    /**
     * The kernel release that added the struct, for example {@code 6.18}, if newer than the oldest headers that rdma4j
     * is built with; empty otherwise. Older headers cannot check the struct.
     */
    String since() default "";
}
