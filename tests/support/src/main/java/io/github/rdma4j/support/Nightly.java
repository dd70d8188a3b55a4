// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test that is slow and seldom fails: {@code ./rdma4j test --all} runs it, {@code ./rdma4j test} does not. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("nightly")
public @interface Nightly {}
