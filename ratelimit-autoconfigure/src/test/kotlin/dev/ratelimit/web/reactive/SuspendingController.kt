package dev.ratelimit.web.reactive

import dev.ratelimit.annotation.RateLimited
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** A controller of suspending functions and flows with limits. */
@RestController
open class SuspendingController {

	@GetMapping("/suspend")
	@RateLimited("suspend", rate = 1.0, per = "1m", capacity = 2, key = "clientIp")
	open suspend fun suspending(): String = "served"

	@GetMapping("/flow")
	@RateLimited("flow", rate = 1.0, per = "1m", capacity = 2, key = "clientIp")
	open fun flow(): Flow<String> = flowOf("ser", "ved")

}
