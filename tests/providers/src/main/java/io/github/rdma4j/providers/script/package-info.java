// SPDX-License-Identifier: Apache-2.0
/** What a library in C writes for an operation, byte for byte, and the same operations on the provider in Java. */
@NullMarked
package io.github.rdma4j.providers.script;

import org.jspecify.annotations.NullMarked;
