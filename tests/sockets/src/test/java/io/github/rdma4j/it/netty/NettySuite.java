// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of Netty's, in a guest, with {@link Allocators}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({Leaks.class, Allocators.class, OnDevice.class})
@interface NettySuite {}
