// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.github.rdma4j.stress.api;

import org.jspecify.annotations.NullMarked;
