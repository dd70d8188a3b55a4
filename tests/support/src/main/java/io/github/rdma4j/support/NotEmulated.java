// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A unit test that fails where QEMU runs a single program of another processor: the test starts a program, or expects an error number
 * that QEMU replaces. {@code ./rdma4j test --arch arm64} leaves it out.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("not-emulated")
public @interface NotEmulated {}
